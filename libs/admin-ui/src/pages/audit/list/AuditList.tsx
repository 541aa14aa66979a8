import { Paper } from '@mantine/core';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { QueryState } from '../../../components/QueryState';
import type { AuditFilter } from '../audit-filter';
import { AuditTable } from '../AuditTable';
import { useAudit } from '../use-audit';

/** The entries that match a filter. */
export function AuditList({ filter }: { filter: AuditFilter }) {
  const entries = useAudit(filter);
  const items = entries.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <QueryState query={entries} />
      {items && (
        <Paper withBorder p="md">
          {items.length > 0 ? (
            <AuditTable label="Audit log" entries={items} />
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
