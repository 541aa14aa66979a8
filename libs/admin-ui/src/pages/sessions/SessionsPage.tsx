import { EmptyState } from '../../components/EmptyState';
import { PageHeader } from '../../components/PageHeader';
import { TablePanel } from '../../components/DataTable';
import { TextLink } from '../../components/TextLink';
import { SESSION_COLUMNS } from './session-columns';
import { useSessions } from './use-sessions';

export default function SessionsPage() {
  const sessions = useSessions();
  return (
    <>
      <PageHeader
        title="Sessions"
        about="Programs connected with a protocol version that has sessions (before 2026-07-28). Newer ones are on the overview only."
      />
      <TablePanel
        label="Sessions"
        query={sessions}
        columns={SESSION_COLUMNS}
        rows={sessions.data?.items}
        keyOf={({ id }) => id}
        pages={sessions}
        empty={
          <EmptyState title="No active sessions">
            Add this service to an assistant: <TextLink to="/connect">Connect</TextLink> says how.
          </EmptyState>
        }
      />
    </>
  );
}
