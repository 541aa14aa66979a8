import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

interface OutsideLinkProps {
  /** An address from outside. Anything but an http(s) URL is shown as plain text. */
  href: string | null;
  children: ReactNode;
}

/** Link to another site, in a new tab and without a referrer. */
export function OutsideLink({ href, children }: OutsideLinkProps) {
  if (!href || !/^https?:\/\//i.test(href)) return <>{children}</>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="always" inherit>
      {children}
    </Anchor>
  );
}
