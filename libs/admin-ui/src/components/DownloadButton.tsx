import { Button } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';

/** A link to a file, that looks like the buttons beside it. */
export function DownloadButton({ label, href }: { label: string; href: string }) {
  return (
    <Button component="a" href={href} download variant="default" leftSection={<DownloadIcon size={16} aria-hidden />}>
      {label}
    </Button>
  );
}
