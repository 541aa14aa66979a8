import { Group, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { DownloadButton } from '../../../components/DownloadButton';
import { EmptyState } from '../../../components/EmptyState';
import { PageHeader } from '../../../components/PageHeader';
import { TablePanel } from '../../../components/DataTable';
import { type AuditFilter, exportPath, filterOf } from '../audit-filter';
import { AUDIT_COLUMNS } from '../audit-columns';
import { useAudit } from '../use-audit';
import { AuditFilters } from './AuditFilters';
import { VerifyButton } from './VerifyButton';

export default function AuditPage() {
  const [params] = useSearchParams();
  const filter = filterOf(params);
  return (
    <>
      <PageHeader
        title="Audit"
        about="Every call, refusal and change, newest first. Entries cannot be changed, and each one is chained to the one before."
        actions={
          <Group gap="sm">
            <VerifyButton />
            <DownloadButton label="Export" href={exportPath(filter)} />
          </Group>
        }
      />
      <Stack>
        <AuditFilters />
        <AuditList filter={filter} />
      </Stack>
    </>
  );
}

/** The entries that match a filter. */
function AuditList({ filter }: { filter: AuditFilter }) {
  const entries = useAudit(filter);
  return (
    <TablePanel
      label="Audit log"
      query={entries}
      columns={AUDIT_COLUMNS}
      rows={entries.data?.items}
      keyOf={({ seq }) => String(seq)}
      pages={entries}
      empty={
        <EmptyState title={entries.hasNextPage ? 'Nothing found among the newest entries' : 'Nothing found'}>
          {entries.hasNextPage ? 'Older entries have not been searched yet.' : 'Choose other filters.'}
        </EmptyState>
      }
    />
  );
}
