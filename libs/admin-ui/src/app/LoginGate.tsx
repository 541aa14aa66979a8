import { Center, Loader } from '@mantine/core';
import { Activity, useState } from 'react';
import { useSession } from '../api/session';
import { ErrorNotice } from '../components/ErrorNotice';
import { LoginPage } from '../pages/login/LoginPage';
import { Shell } from './shell/Shell';

/**
 * The pages for who is logged in; the login form, in their place and at their address, for everybody else. When a session
 * ends under somebody's hands, the page waits behind the form, with what was being written.
 */
export function LoginGate() {
  const session = useSession();
  const [hasPages, setHasPages] = useState(false);
  if (session.data && !hasPages) setHasPages(true);
  if (session.isPending) {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (session.isError) return <ErrorNotice error={session.error} onRetry={() => void session.refetch()} m="md" />;
  return (
    <>
      {hasPages && (
        <Activity mode={session.data ? 'visible' : 'hidden'}>
          <Shell />
        </Activity>
      )}
      {!session.data && <LoginPage />}
    </>
  );
}
