import { Button, Text } from '@mantine/core';
import { type Columns, DataTable } from '../../components/DataTable';
import { onFirstClick } from '../../components/first-click';
import { Ago } from '../../components/Moment';
import { showError } from '../../components/notices';
import type { RowAction } from '../../components/RowButton';
import type { AdminSession } from './use-administrators';

interface AdminSessionsTableProps {
  sessions: readonly AdminSession[];
  end: RowAction;
}

/** Lists the browser sessions of one account. */
export function AdminSessionsTable({ sessions, end }: AdminSessionsTableProps) {
  const columns: Columns<AdminSession> = {
    Browser: ({ browser }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {browser ?? 'Unknown'}
      </Text>
    ),
    Address: ({ address }) => <span style={{ whiteSpace: 'nowrap' }}>{address}</span>,
    Login: ({ createdAt }) => <Ago at={createdAt} />,
    'Last used': ({ lastUsedAt }) => <Ago at={lastUsedAt} />,
    Session: ({ id }) => (
      <Button
        size="xs"
        variant="default"
        disabled={end.isPending}
        onClick={onFirstClick(() => end.mutate(id, { onError: showError }))}
        aria-label={`End session ${id}`}
      >
        End session
      </Button>
    ),
  };
  return <DataTable label="Sessions" columns={columns} rows={sessions} keyOf={({ id }) => id} />;
}
