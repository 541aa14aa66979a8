import { Button, CopyButton as MantineCopyButton } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@primer/octicons-react';

interface CopyButtonProps {
  value: string;
  /** Name of the copied text, on pages with several copy buttons. */
  what?: string;
}

export function CopyButton({ value, what }: CopyButtonProps) {
  return (
    <MantineCopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <CheckIcon size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
          aria-label={what && `${copied ? 'Copied' : 'Copy'}: ${what}`}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </MantineCopyButton>
  );
}
