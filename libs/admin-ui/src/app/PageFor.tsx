import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Role, useMay } from '../api/session';
import { PageHeader } from '../components/PageHeader';
import { TextLink } from '../components/TextLink';

/** Shows a page to administrators with a role, or one above it, and tells others which role they need. */
export function PageFor({ role, children }: { role: Role; children: ReactNode }) {
  if (useMay(role)) return children;
  return (
    <>
      <PageHeader title="You don't have access to this page" />
      <Text>
        This page needs the role {role}. Ask somebody with the role admin, or go to the{' '}
        <TextLink to="/">overview</TextLink>.
      </Text>
    </>
  );
}
