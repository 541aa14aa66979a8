import { Alert, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { TextLink } from '../../../components/TextLink';
import { type SignInLack, useSignInAddress } from '../use-sign-in-address';
import { ClientTabs } from './ClientTabs';
import { CopiedText } from './CopiedText';
import type { SignInSnippet } from './snippet';
import { SIGN_IN_SNIPPETS } from './snippets';

/** Shows how to sign in with each program, or why this is not possible. */
export function SignInSnippets() {
  const { data: address, error, isPending, refetch } = useSignInAddress();
  if (isPending) return <LoadingLines />;
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const { url, lack, issuer } = address;
  if (url === null) return <Lacks lack={lack ?? 'off'} />;
  return (
    <Stack>
      {issuer === null ? (
        <Text size="sm">
          People need an account under <TextLink to="/administrators">Accounts</TextLink>, and no key. What they have
          allowed is under <TextLink to="/programs">Programs</TextLink>.
        </Text>
      ) : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          People sign in at <code>{issuer}</code>, and need no key. Programs that cannot register there by themselves
          need the client ID of an application that an administrator has registered for them.
        </Text>
      )}
      <ClientTabs items={SIGN_IN_SNIPPETS}>{(snippet) => <SignInPanel snippet={snippet} url={url} />}</ClientTabs>
    </Stack>
  );
}

function SignInPanel({ snippet: { client, where, text, steps }, url }: { snippet: SignInSnippet; url: string }) {
  return (
    <Stack gap="sm">
      <CopiedText about={where} isCode={/[./]\w/.test(where)} what={client} label={`For ${client}`} text={text(url)} />
      <List type="ordered" size="sm">
        {steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

const LACKS: Readonly<Record<SignInLack, { title: string; text: ReactNode }>> = {
  off: {
    title: 'Signing in is off',
    text: (
      <>
        With it, people log in with their account instead of pasting a key. Set <code>oauth.enabled</code> to on under{' '}
        <TextLink to="/config">Config</TextLink>.
      </>
    ),
  },
  no_public_url: {
    title: 'Signing in needs PUBLIC_URL',
    text: (
      <>
        Set the environment variable PUBLIC_URL to the https:// address under which people reach this service, and
        restart it.
      </>
    ),
  },
  not_https: {
    title: 'Signing in needs https',
    text: (
      <>
        PUBLIC_URL begins with http://, where others on the network read passwords and tokens. Publish this service with
        a certificate, set PUBLIC_URL to its https:// address, and restart it.
      </>
    ),
  },
};

function Lacks({ lack }: { lack: SignInLack }) {
  const { title, text } = LACKS[lack];
  return (
    <Alert color="orange" title={title}>
      {text}
    </Alert>
  );
}
