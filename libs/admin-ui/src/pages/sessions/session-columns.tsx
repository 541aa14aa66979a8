import { Button, Text } from '@mantine/core';
import { Caller } from '../../components/Caller';
import { confirm } from '../../components/confirm';
import type { Columns } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showOutcome } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { type Session, useEndSession } from './use-sessions';

/** What tables show of a session. */
export const SESSION_COLUMNS: Columns<Session> = {
  Program: ({ clientName, clientVersion }) => (
    <Text size="sm" lineClamp={2}>
      {clientName ?? 'Unknown'} {clientVersion}
    </Text>
  ),
  Caller: ({ client }) => <Caller name={client} />,
  Protocol: ({ protocolVersion }) => protocolVersion,
  Since: ({ since }) => <Ago at={since} />,
  'Last seen': ({ lastSeen }) => <Ago at={lastSeen} />,
  Streams: ({ streams }) => streams,
  Session: (session) => (
    <OnlyFor role="admin">
      <EndSessionButton session={session} />
    </OnlyFor>
  ),
};

function EndSessionButton({ session }: { session: Session }) {
  const end = useEndSession();
  const program = session.clientName ?? 'the program';
  const ask = () =>
    confirm({
      title: 'End this session?',
      text: `Running calls of ${program} are cut off. Most programs open a new session with their next request; to keep a program out, change its key.`,
      confirm: 'End session',
      onConfirm: () => showOutcome(end.mutateAsync(session.id), 'The session has ended.'),
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
