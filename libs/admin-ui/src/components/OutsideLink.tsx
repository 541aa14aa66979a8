import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface OutsideLinkProps extends AnchorProps {
  /** As somebody else wrote it: anything but an address on the web becomes plain text. */
  href: string | null;
  children: ReactNode;
}

/** A link out of the administration, in a new tab, that does not tell where it comes from. */
export function OutsideLink({ href, children, ...props }: OutsideLinkProps) {
  if (!href || !/^https?:\/\//i.test(href)) return <>{children}</>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="always" inherit {...props}>
      {children}
    </Anchor>
  );
}
