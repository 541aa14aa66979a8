import { Alert, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { TestResults } from '../test/TestResults';
import { useFinishSignInTest } from './use-sign-in-test';

/** The page to which the authorization server redirects the person. */
export default function SignInTestPage() {
  const { results, error, isRunning, outcome, finish } = useFinishSignInTest();
  // A code can be used once, but effects run twice in development.
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    finish(new URLSearchParams(window.location.search));
  }, [finish]);
  const isWhole = outcome === 'finished' && results.every(({ failure }) => failure === null);
  return (
    <>
      <PageHeader title="Test of the sign-in" about="The steps of a program, and their results." />
      <Stack aria-live="polite">
        {outcome === 'nothing kept' && (
          <Alert color="orange" title="No test is in progress">
            It has ended, or was started in another tab. Start one under <TextLink to="/connect">Connect</TextLink>.
          </Alert>
        )}
        {error !== null && <ErrorNotice error={error} />}
        {results.length > 0 && <TestResults results={results} />}
        {isRunning && <LoadingLines />}
        {isWhole && (
          <Alert color="teal" title="People can sign in">
            Everything worked, and the test program is removed. Connect yours under{' '}
            <TextLink to="/connect">Connect</TextLink>.
          </Alert>
        )}
      </Stack>
    </>
  );
}
