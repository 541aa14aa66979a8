import { Text } from '@mantine/core';
import { DataTable } from '../../../components/DataTable';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadMore } from '../../../components/LoadMore';
import { Section } from '../../../components/Section';
import { SESSION_COLUMNS } from '../../sessions/session-columns';
import { useSessions } from '../../sessions/use-sessions';

/** The open sessions of a client. */
export function ClientSessions({ name }: { name: string }) {
  const sessions = useSessions(name);
  const items = sessions.data?.items ?? [];
  return (
    <Section title="Sessions" about="Only programs with a protocol version before 2026-07-28 have them.">
      {sessions.error && <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {items.length > 0 ? (
        <DataTable label="Sessions" columns={SESSION_COLUMNS} rows={items} keyOf={({ id }) => id} />
      ) : (
        <Text c="dimmed">It has no open session.</Text>
      )}
      <LoadMore pages={sessions} />
    </Section>
  );
}
