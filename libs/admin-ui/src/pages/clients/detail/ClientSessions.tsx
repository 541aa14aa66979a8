import { Text } from '@mantine/core';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadMore } from '../../../components/LoadMore';
import { Section } from '../../../components/Section';
import { SessionsTable } from '../../sessions/SessionsTable';
import { useSessions } from '../../sessions/use-sessions';

/** The open sessions of a client. */
export function ClientSessions({ name }: { name: string }) {
  const sessions = useSessions(name);
  const items = sessions.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section title="Sessions" about="Only programs with a protocol version before 2026-07-28 have them.">
      {sessions.error && <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {items.length > 0 ? <SessionsTable sessions={items} /> : <Text c="dimmed">It has no open session.</Text>}
      <LoadMore pages={sessions} />
    </Section>
  );
}
