import { Button, Stack, Text } from '@mantine/core';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { OnlyFor } from '../../../components/OnlyFor';
import { Section } from '../../../components/Section';
import { TestResults } from '../test/TestResults';
import { useSignInAddress } from '../use-sign-in-address';
import { useBeginSignInTest } from './use-sign-in-test';

/** Tests signing in like a program, if people can sign in, and at this service. */
export function SignInTest() {
  const { data: address } = useSignInAddress();
  if (!address?.url || address.issuer !== null) return null;
  return (
    <OnlyFor role="admin">
      <Section
        title="Test the sign-in"
        about="Goes through the sign-in of a program in this browser: discovery, registration, consent, a call of a skill, and revocation."
      >
        <Test url={address.url} />
      </Section>
    </OnlyFor>
  );
}

function Test({ url }: { url: string }) {
  const { results, error, isRunning, begin } = useBeginSignInTest();
  const { origin } = new URL(url);
  if (origin !== window.location.origin) {
    return (
      <Text size="sm">
        Programs use {origin}, and you have opened {window.location.origin}. Open {origin}/admin/connect to test what
        they see.
      </Text>
    );
  }
  return (
    <>
      <Button loading={isRunning} onClick={() => begin(url)}>
        Test the sign-in
      </Button>
      <Stack mt="md" aria-live="polite">
        {error !== null && <ErrorNotice error={error} />}
        {results.length > 0 && <TestResults results={results} />}
      </Stack>
    </>
  );
}
