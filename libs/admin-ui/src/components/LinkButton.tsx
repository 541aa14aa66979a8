import { Button, type ButtonProps } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface LinkButtonProps extends Pick<ButtonProps, 'variant' | 'leftSection'> {
  to: string;
  children: ReactNode;
}

/** A link that looks like a button. */
export function LinkButton({ to, variant = 'default', ...button }: LinkButtonProps) {
  return <Button component={Link} to={to} variant={variant} {...button} />;
}

/** Leads to the page for a new object of a list. */
export function NewButton({ to, children }: Pick<LinkButtonProps, 'to' | 'children'>) {
  return (
    <LinkButton to={to} variant="filled" leftSection={<PlusIcon size={16} aria-hidden />}>
      {children}
    </LinkButton>
  );
}
