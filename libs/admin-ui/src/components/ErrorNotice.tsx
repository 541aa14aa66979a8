import { Alert, Button, type MantineSpacing, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { isLoggedOut } from '../api/api-error';

interface ErrorNoticeProps {
  error: unknown;
  onRetry?: () => void;
  retryLabel?: string;
  m?: MantineSpacing;
}

/** Shows an error, with the server's message if there is one. */
export function ErrorNotice({ error, onRetry, retryLabel = 'Try again', m }: ErrorNoticeProps) {
  return (
    <Alert role="alert" color="red" title="Something went wrong" icon={<AlertIcon aria-hidden />} m={m}>
      <Text size="sm">{messageOf(error)}</Text>
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </Alert>
  );
}

/** The service's message about an ended session is for programs. */
const LOGGED_OUT = 'You were logged out before this was done: try again.';

export function messageOf(error: unknown): string {
  if (isLoggedOut(error)) return LOGGED_OUT;
  return error instanceof Error ? error.message : String(error);
}
