import { Center, Loader } from '@mantine/core';
import { useSession } from '../api/session';
import { ErrorNotice } from '../components/ErrorNotice';
import { LoginPage } from '../pages/login/LoginPage';
import { Shell } from './shell/Shell';

/** The pages for who is logged in; the login form, in their place and at their address, for everybody else. */
export function LoginGate() {
  const session = useSession();
  if (session.isPending) {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (session.isError) return <ErrorNotice error={session.error} onRetry={() => void session.refetch()} m="md" />;
  return session.data ? <Shell /> : <LoginPage />;
}
