import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { type Role, useMay } from '../api/session';
import { PageHeader } from '../components/PageHeader';
import { TextLink } from '../components/TextLink';

/** Shows a page to those with a role, or one above it, and tells others which role they need. Members have one page. */
export function PageFor({ role, children }: { role: Role; children: ReactNode }) {
  const [isEnough, administrates] = [useMay(role), useMay('viewer')];
  if (isEnough) return children;
  if (!administrates) return <Navigate to="/account" replace />;
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
