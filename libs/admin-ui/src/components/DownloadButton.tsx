import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

/** A link to a file, that looks like the buttons beside it. */
export function DownloadButton({ label, href }: { label: string; href: string }) {
  return (
    <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
      {label}
    </Button>
  );
}
