import { Caller } from '../../components/Caller';
import { OnlyFor } from '../../components/OnlyFor';
import { Button, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showDone, showError } from '../../components/notices';
import { type Session, useEndSession } from './use-sessions';

const COLUMNS: readonly Column<Session>[] = [
  {
    title: 'Program',
    render: ({ clientName, clientVersion }) => (
      <Text size="sm" lineClamp={2}>
        {clientName ?? 'Unknown'} {clientVersion}
      </Text>
    ),
  },
  { title: 'Caller', render: ({ client }) => <Caller name={client} /> },
  { title: 'Protocol', render: ({ protocolVersion }) => protocolVersion },
  { title: 'Since', render: ({ since }) => <Ago at={since} /> },
  { title: 'Last seen', render: ({ lastSeen }) => <Ago at={lastSeen} /> },
  { title: 'Streams', render: ({ streams }) => streams },
  {
    title: 'Session',
    render: (session) => (
      <OnlyFor role="admin">
        <EndSessionButton session={session} />
      </OnlyFor>
    ),
  },
];

export function SessionsTable({ sessions }: { sessions: readonly Session[] }) {
  return <DataTable label="Sessions" columns={COLUMNS} rows={sessions} keyOf={({ id }) => id} />;
}

function EndSessionButton({ session }: { session: Session }) {
  const end = useEndSession();
  const program = session.clientName ?? 'the program';
  const ask = () =>
    confirm({
      title: 'End this session?',
      text: `Running calls of ${program} are cut off. Most programs open a new session with their next request; to keep a program out, change its key.`,
      confirm: 'End session',
      onConfirm: () => void end.mutateAsync(session.id).then(() => showDone('The session has ended.'), showError),
    });
  return (
    <Button
      size="xs"
      variant="default"
      loading={end.isPending}
      onClick={ask}
      aria-label={`End session ${session.id.slice(0, 8)}`}
    >
      End session
    </Button>
  );
}
