import { Button, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable';
import { onFirstClick } from '../../components/first-click';
import { Ago } from '../../components/Moment';
import type { AdminSession } from './use-administrators';

interface AdminSessionsTableProps {
  sessions: readonly AdminSession[];
  isEnding: boolean;
  onEnd: (id: string) => void;
}

/** Lists the browser sessions of one account. */
export function AdminSessionsTable({ sessions, isEnding, onEnd }: AdminSessionsTableProps) {
  const columns: readonly Column<AdminSession>[] = [
    {
      title: 'Browser',
      render: ({ browser }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {browser ?? 'Unknown'}
        </Text>
      ),
    },
    { title: 'Address', render: ({ address }) => <span style={{ whiteSpace: 'nowrap' }}>{address}</span> },
    { title: 'Login', render: ({ createdAt }) => <Ago at={createdAt} /> },
    { title: 'Last used', render: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    {
      title: 'Session',
      render: ({ id }) => (
        <Button
          size="xs"
          variant="default"
          disabled={isEnding}
          onClick={onFirstClick(() => onEnd(id))}
          aria-label={`End session ${id}`}
        >
          End session
        </Button>
      ),
    },
  ];
  return <DataTable label="Sessions" columns={columns} rows={sessions} keyOf={({ id }) => id} />;
}
