import { Paper, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { LoadMore } from '../../../components/LoadMore';
import { Ago } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { formatTook } from '../../../text/format';
import { type AuditEntry, type AuditFilter, KINDS } from '../audit-filter';
import { Outcome } from '../Outcome';
import { useAudit } from '../use-audit';

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
    render: ({ client, admin, address }) => <Whole>{client ?? admin ?? address ?? 'the service'}</Whole>,
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
  { title: 'Took', render: ({ durationMs }) => durationMs !== undefined && <Whole>{formatTook(durationMs)}</Whole> },
];

/** Text that is broken between words only, as far as there is room. */
const Whole = ({ children }: { children: string }) => <span style={{ overflowWrap: 'break-word' }}>{children}</span>;

/** The entries that fit a filter. */
export function AuditList({ filter }: { filter: AuditFilter }) {
  const entries = useAudit(filter);
  const items = entries.data?.pages.flatMap((page) => page.items);
  return (
    <>
      {entries.error && <ErrorNotice error={entries.error} onRetry={() => void entries.refetch()} />}
      {entries.isPending && <LoadingLines />}
      {items && (
        <Paper withBorder p="md">
          {items.length > 0 ? (
            <DataTable label="Audit log" columns={COLUMNS} rows={items} keyOf={({ seq }) => String(seq)} />
          ) : (
            <EmptyState title={entries.hasNextPage ? 'Nothing found among the newest entries' : 'Nothing found'}>
              {entries.hasNextPage ? 'Older entries have not been looked at yet.' : 'Choose other filters.'}
            </EmptyState>
          )}
          <LoadMore pages={entries} />
        </Paper>
      )}
    </>
  );
}

function nameOf({ kind, action, subject, count = 1 }: AuditEntry) {
  const times = count > 1 && kind !== 'gap' && kind !== 'retention' ? `, ${count} times` : '';
  return (
    <>
      {kind === 'change' ? action : KINDS[kind]}
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
