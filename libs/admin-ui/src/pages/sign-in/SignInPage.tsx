import { Alert, Button, Center, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useMutation } from '@tanstack/react-query';
import { isGone } from '../../api/api-error';
import { useLogOut, useSession } from '../../api/session';
import { ErrorNotice } from '../../components/ErrorNotice';
import { showError } from '../../components/notices';
import { ToolsOfSignIn } from './ToolsOfSignIn';
import { api, bodyOf, type Schemas, useRead } from '../../api/client';

/** Asks a person whether a program may act for them. */
export default function SignInPage() {
  const { id = '' } = useParams();
  const { data: signIn, error, isPending, refetch } = useSignIn(id);
  return (
    <Center component="main" mih="100dvh" p="md">
      <title>Sign in · Agent Service</title>
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={560}>
        {isPending && <Loader aria-label="Loading" />}
        {isGone(error) && <Over />}
        {error && !isGone(error) && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {signIn && <Question signIn={signIn} />}
      </Paper>
    </Center>
  );
}

function Over() {
  return (
    <Stack>
      <Title order={1} size="h2">
        This sign-in is over
      </Title>
      <Text>
        It has expired, was already decided, or was started in another browser. Go back to your program and start again.
      </Text>
    </Stack>
  );
}

/** Stays when the browser passes the answer to a program on this computer, instead of opening another page. */
function Decided() {
  return (
    <Stack>
      <Title order={1} size="h2">
        Go back to your program
      </Title>
      <Text>It gets your answer. If your browser asks whether to open it, agree. You no longer need this tab.</Text>
    </Stack>
  );
}

function Question({ signIn }: { signIn: SignIn }) {
  const decide = useDecide(signIn.id);
  const answer = (decision: 'allow' | 'deny') => () =>
    decide.mutate(decision, { onSuccess: ({ to }) => window.location.assign(to), onError: showError });
  if (decide.isSuccess) return <Decided />;
  return (
    <Stack>
      <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
        Let “{signIn.name}” act for you?
      </Title>
      <Who />
      <Proof signIn={signIn} />
      <Fact title="Afterwards, you are sent to">{placeIn(signIn.host)}</Fact>
      <Fact title="It wants to use">{signIn.resource}</Fact>
      <ToolsOfSignIn tools={signIn.tools} />
      <Text size="sm" c="dimmed">
        It may do this for a year at most. You can end it at any time under Your account.
      </Text>
      <Group>
        <Button
          onClick={answer('allow')}
          loading={decide.isPending && decide.variables === 'allow'}
          disabled={decide.isPending}
        >
          Allow
        </Button>
        <Button
          variant="default"
          onClick={answer('deny')}
          loading={decide.isPending && decide.variables === 'deny'}
          disabled={decide.isPending}
        >
          Do not allow
        </Button>
      </Group>
    </Stack>
  );
}

const isThisComputer = (host: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(host);

/** Few people know that these addresses are those of their own machine. */
const placeIn = (host: string): string => (isThisComputer(host) ? `a program on this computer (${host})` : host);

function Who() {
  const { data: session } = useSession();
  const logOut = useLogOut({ staysHere: true });
  return (
    <Group gap="xs">
      <Text>
        You are <b>{session?.user}</b>.
      </Text>
      <Button
        size="compact-sm"
        variant="subtle"
        loading={logOut.isPending}
        onClick={() => logOut.mutate(undefined, { onError: showError })}
      >
        Use another account
      </Button>
    </Group>
  );
}

/** Shows the verified facts about the program separately from its own claims. */
function Proof({ signIn: { proven, host } }: { signIn: SignIn }) {
  if (proven !== '' && isThisComputer(host)) {
    return (
      <Alert color="yellow" title={`It says that it belongs to ${proven}`}>
        {proven} has such a program, but any program on this computer can say that it is this one. Allow it if you have
        just begun this in a program of yours, and not if a link led you here.
      </Alert>
    );
  }
  if (proven !== '') {
    return (
      <Alert color="teal" title={`It belongs to ${proven}`}>
        {proven} says that this is its program. The name above is what the program calls itself.
      </Alert>
    );
  }
  return (
    <Alert color="yellow" title="Nothing proves which program this is">
      The name above is only its own claim. Allow it if you have just started this sign-in in your own program, but not
      if a link led you here.
    </Alert>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}

type SignIn = Schemas['SignInView'];

const useSignIn = (id: string) =>
  useRead(['sign-in', id], () => api.GET('/admin/api/sign-ins/{id}', { params: { path: { id } } }), {
    retry: false,
    staleTime: Infinity, // it is over once it is decided
  });

function useDecide(id: string) {
  return useMutation({
    mutationFn: (decision: 'allow' | 'deny') => {
      const params = { path: { id } };
      return decision === 'allow'
        ? bodyOf(api.POST('/admin/api/sign-ins/{id}/allow', { params }))
        : bodyOf(api.POST('/admin/api/sign-ins/{id}/deny', { params }));
    },
  });
}
