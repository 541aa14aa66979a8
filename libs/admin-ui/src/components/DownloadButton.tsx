import { Button } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';

/** Link to a file that looks like a button. */
export function DownloadButton({ label, href }: { label: string; href: string }) {
  return (
    <Button component="a" href={href} download variant="default" leftSection={<DownloadIcon size={16} aria-hidden />}>
      {label}
    </Button>
  );
}
