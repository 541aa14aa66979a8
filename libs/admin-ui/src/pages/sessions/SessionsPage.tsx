import { Paper } from '@mantine/core';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { LoadMore } from '../../components/LoadMore';
import { PageHeader } from '../../components/PageHeader';
import { TextLink } from '../../components/TextLink';
import { SessionsTable } from './SessionsTable';
import { useSessions } from './use-sessions';

export default function SessionsPage() {
  const sessions = useSessions();
  const items = sessions.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <PageHeader
        title="Sessions"
        about="Programs connected with a protocol version that has sessions (before 2026-07-28). Newer ones are on the overview only."
      />
      {sessions.error && <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} m="0 0 md" />}
      {sessions.isPending && <LoadingLines />}
      {items && (
        <Paper withBorder p="md">
          {items.length > 0 ? (
            <SessionsTable sessions={items} />
          ) : (
            <EmptyState title="No active sessions">
              Add this service to an assistant: <TextLink to="/connect">Connect</TextLink> says how.
            </EmptyState>
          )}
          <LoadMore pages={sessions} />
        </Paper>
      )}
    </>
  );
}
