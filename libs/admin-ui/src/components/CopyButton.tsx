import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { CheckIcon, CopyIcon } from '@primer/octicons-react';

interface CopyButtonProps {
  value: string;
  /** Name of the copied text, on pages with several copy buttons. */
  what?: string;
}

/** Copies a text. Browsers do not allow it on pages that came without TLS, except from this machine. */
export function CopyButton({ value, what }: CopyButtonProps) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 });
  const label = copied ? 'Copied' : error ? 'Select the text, and copy it' : 'Copy';
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <CheckIcon size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
      aria-label={what && `${label}: ${what}`}
      onClick={() => copy(value)}
    >
      {label}
    </Button>
  );
}
