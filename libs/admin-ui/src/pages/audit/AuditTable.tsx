import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Caller } from '../../components/Caller';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { TextLink } from '../../components/TextLink';
import { formatTook } from '../../text/format';
import { type AuditEntry, changeInWords, KINDS } from './audit-filter';
import { Outcome } from './Outcome';

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'When',
    render: ({ seq, at }) => (
      <TextLink to={`/audit/${seq}`}>
        <Ago at={at} />
      </TextLink>
    ),
  },
  {
    title: 'Who',
    render: ({ client, admin, address }) => (
      <Whole>{client ? <Caller name={client} /> : (admin ?? address ?? 'the service')}</Whole>
    ),
  },
  {
    title: 'What',
    render: (entry) => (
      <div>
        {nameOf(entry)}
        {entry.message && (
          <Text size="sm" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            {entry.message}
          </Text>
        )}
      </div>
    ),
  },
  { title: 'Outcome', render: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    title: 'Took',
    render: ({ durationMs }) =>
      durationMs !== undefined && <span style={{ whiteSpace: 'nowrap' }}>{formatTook(durationMs)}</span>,
  },
];

/** Text that breaks only between words, if there is room. */
const Whole = ({ children }: { children: ReactNode }) => <span style={{ overflowWrap: 'break-word' }}>{children}</span>;

/** Entries of the audit log, each with a link to it. */
export function AuditTable({ label, entries }: { label: string; entries: readonly AuditEntry[] }) {
  return <DataTable label={label} columns={COLUMNS} rows={entries} keyOf={({ seq }) => String(seq)} />;
}

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
