import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { AlertIcon, KeyIcon } from '@primer/octicons-react';
import { useOverview } from '../../api/overview';
import { CopyButton } from '../../components/CopyButton';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { TextLink } from '../../components/TextLink';
import { forgetKey, useNewKey } from './new-key';
import { SignInTest } from './sign-in-test/SignInTest';
import { Snippets } from './snippets/Snippets';
import { ConnectionTest } from './test/ConnectionTest';

// The content security policy lets pages connect only to their own origin, which may differ from the public address.
const OWN_URL = `${window.location.origin}/mcp`;

export default function ConnectPage() {
  const query = useOverview();
  const overview = query.data;
  const newKey = useNewKey();
  const url = overview?.mcpUrl ?? OWN_URL;
  return (
    <>
      <PageHeader title="Connect" about="How to connect assistants and other programs to this service." />
      <Stack>
        <QueryState query={query} height={120} />
        {overview && (
          <>
            {!overview.keyConfigured && (
              <Alert color="orange" icon={<AlertIcon aria-hidden />} title="There is no API key yet">
                Every client is refused until you create one under <TextLink to="/clients">Clients</TextLink>, or
                generate <code>mcp.api_key</code> under <TextLink to="/config">Config</TextLink>.
              </Alert>
            )}
            <Text>
              The key is that of a client: create one for each person or program under{' '}
              <TextLink to="/clients">Clients</TextLink>, where it is shown once.
            </Text>
            <Group gap="xs">
              <Text>Address of the endpoint:</Text>
              <Code fz="sm">{url}</Code>
              <CopyButton value={url} what="address" />
            </Group>
            {overview.mcpUrl === null && (
              <Text size="sm" c="dimmed">
                As this browser sees it. If clients use another address, set the environment variable PUBLIC_URL.
              </Text>
            )}
            {newKey !== null && (
              <Alert color="teal" icon={<KeyIcon aria-hidden />} title="Your new key is ready">
                <Stack gap="xs" align="start">
                  <Text size="sm">
                    Each program below says where it takes the key from. This page keeps it until you close or reload
                    it, or log out; then it cannot be shown again.
                  </Text>
                  <Code data-testid="new-key" style={{ overflowWrap: 'anywhere' }}>
                    {newKey}
                  </Code>
                  <Group gap="xs">
                    <CopyButton value={newKey} what="new key" />
                    <Button size="xs" variant="subtle" onClick={forgetKey}>
                      Forget it
                    </Button>
                  </Group>
                </Stack>
              </Alert>
            )}
            <Snippets url={url} apiKey={newKey} />
            <ConnectionTest key={newKey} url={OWN_URL} initialKey={newKey ?? ''} />
            <SignInTest />
          </>
        )}
      </Stack>
    </>
  );
}
