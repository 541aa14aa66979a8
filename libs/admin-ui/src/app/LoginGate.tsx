import { Center, Loader } from '@mantine/core';
import { Activity, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../api/session';
import { closeQuestions } from '../components/confirm';
import { ErrorNotice } from '../components/ErrorNotice';
import { LoginPage } from '../pages/login/LoginPage';

/**
 * Shows pages to people who are logged in, and the login form at the same address to everybody else. When a session ends during
 * work, the page is kept behind the form, with all unsaved input.
 */
export function LoginGate({ children }: { children: ReactNode }) {
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
  // If reloading the session fails, the page stays, with all unsaved input.
  if (session.isLoadingError)
    return <ErrorNotice error={session.error} onRetry={() => void session.refetch()} m="md" />;
  return (
    <>
      {hasPages && (
        <Activity mode={session.data ? 'visible' : 'hidden'}>
          {children}
          <PageBehindLogin />
        </Activity>
      )}
      {!session.data && <LoginPage />}
    </>
  );
}

/** Closes the dialogs of the page when the login form comes up, and gives the focus back to what had it then. */
function PageBehindLogin() {
  const left = useRef<Element>(null);
  useLayoutEffect(() => {
    if (left.current instanceof HTMLElement) left.current.focus();
    return () => {
      left.current = document.activeElement;
      closeQuestions();
    };
  }, []);
  return null;
}
