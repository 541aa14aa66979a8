import { Ago } from '../../components/Ago';
import { type Column, DataTable } from '../../components/DataTable';
import { EndSessionButton } from './EndSessionButton';
import type { Session } from './use-sessions';

const COLUMNS: readonly Column<Session>[] = [
  { title: 'Program', render: ({ clientName, clientVersion }) => `${clientName ?? 'Unknown'} ${clientVersion ?? ''}` },
  { title: 'Key', render: ({ client }) => client },
  { title: 'Protocol', render: ({ protocolVersion }) => protocolVersion },
  { title: 'Since', render: ({ since }) => <Ago at={since} /> },
  { title: 'Last seen', render: ({ lastSeen }) => <Ago at={lastSeen} /> },
  { title: 'Streams', render: ({ streams }) => streams },
  { title: 'Session', render: (session) => <EndSessionButton session={session} /> },
];

export function SessionsTable({ sessions }: { sessions: readonly Session[] }) {
  return <DataTable label="Sessions" columns={COLUMNS} rows={sessions} keyOf={({ id }) => id} />;
}
