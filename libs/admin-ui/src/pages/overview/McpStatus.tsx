import { Alert } from '@mantine/core';
import { AlertIcon, CheckCircleIcon, SyncIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import type { Overview } from '../../api/overview';
import { TextLink } from '../../components/TextLink';

const STATES: Record<Overview['mcp'], { color: string; icon: ReactNode; text: ReactNode }> = {
  running: {
    color: 'teal',
    icon: <CheckCircleIcon aria-hidden />,
    text: (
      <>
        The endpoint answers clients that have a key. To add one, go to <TextLink to="/connect">Connect</TextLink>.
      </>
    ),
  },
  unconfigured: {
    color: 'orange',
    icon: <AlertIcon aria-hidden />,
    text: (
      <>
        The endpoint refuses every client, because there is no API key yet, and nobody can sign in. Generate{' '}
        <code>mcp.api_key</code> under <TextLink to="/config">Config</TextLink>, then follow{' '}
        <TextLink to="/connect">Connect</TextLink>.
      </>
    ),
  },
  starting: {
    color: 'blue',
    icon: <SyncIcon aria-hidden />,
    text: 'The service has just started. The endpoint will answer in a moment.',
  },
  stopping: {
    color: 'orange',
    icon: <SyncIcon aria-hidden />,
    text: 'The service is shutting down. It finishes running calls and refuses new ones.',
  },
};

/** Shows whether the MCP endpoint works, and what to do if it does not. */
export function McpStatus({ overview }: { overview: Overview }) {
  const { color, icon, text } = STATES[overview.mcp];
  return (
    <Alert role="status" color={color} icon={icon} title={`MCP is ${overview.mcp}`}>
      {text}
    </Alert>
  );
}
