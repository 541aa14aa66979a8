import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Caller } from '../../components/Caller';
import type { Columns } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { TextLink } from '../../components/TextLink';
import { formatTook } from '../../text/format';
import { type AuditEntry, changeInWords, KINDS } from './audit-filter';
import { Outcome } from './Outcome';

/** What tables show of an entry of the audit log. */
export const AUDIT_COLUMNS: Columns<AuditEntry> = {
  When: ({ seq, at }) => (
    <TextLink to={`/audit/${seq}`}>
      <Ago at={at} />
    </TextLink>
  ),
  Who: ({ client, admin, address }) => (
    <Whole>{client ? <Caller name={client} /> : (admin ?? address ?? 'the service')}</Whole>
  ),
  What: (entry) => (
    <div>
      {nameOf(entry)}
      {entry.message && (
        <Text size="sm" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {entry.message}
        </Text>
      )}
    </div>
  ),
  Outcome: ({ outcome }) => <Outcome outcome={outcome} />,
  Took: ({ durationMs }) =>
    durationMs !== undefined && <span style={{ whiteSpace: 'nowrap' }}>{formatTook(durationMs)}</span>,
};

/** Text that breaks only between words, if there is room. */
const Whole = ({ children }: { children: ReactNode }) => <span style={{ overflowWrap: 'break-word' }}>{children}</span>;

function nameOf({ kind, action, subject, count = 1 }: AuditEntry) {
  const times = count > 1 && kind !== 'gap' && kind !== 'retention' ? `, ${count} times` : '';
  return (
    <>
      {kind === 'change' ? changeInWords(action) : KINDS[kind]}
      {times}
      {subject !== undefined && (
        <>
          {': '}
          <span style={{ overflowWrap: 'anywhere' }}>{subject}</span>
        </>
      )}
    </>
  );
}
