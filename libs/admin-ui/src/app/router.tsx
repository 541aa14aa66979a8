import { lazy, type ReactNode, Suspense } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { Text } from '@mantine/core';
import { pages } from '../pages';
import { NotFoundPage, RouteError } from './ErrorPages';
import { LoginGate } from './LoginGate';
import { Shell } from './shell/Shell';
import { type Role, useMay } from '../api/session';
import { PageHeader } from '../components/PageHeader';
import { TextLink } from '../components/TextLink';

const SignInPage = lazy(() => import('../pages/sign-in/SignInPage'));

const routes: RouteObject[] = pages.flatMap(({ path, element, role = 'viewer', details = [] }) => [
  { path, element: <PageFor role={role}>{element}</PageFor> },
  ...details.map((detail) => ({
    path: `${path}/${detail.path}`,
    element: <PageFor role={detail.role ?? role}>{detail.element}</PageFor>,
  })),
]);

export const router = createBrowserRouter(
  [
    {
      // Programs redirect people here, who need no other page.
      path: 'sign-in/:id',
      element: (
        <LoginGate>
          <Suspense>
            <SignInPage />
          </Suspense>
        </LoginGate>
      ),
      errorElement: <RouteError />,
    },
    {
      element: (
        <LoginGate>
          <Shell />
        </LoginGate>
      ),
      errorElement: <RouteError />,
      children: [{ errorElement: <RouteError />, children: [...routes, { path: '*', element: <NotFoundPage /> }] }],
    },
  ],
  // People open /admin, which has no trailing slash.
  { basename: import.meta.env.BASE_URL.replace(/\/$/, '') },
);

/** Shows a page to those with a role, or one above it, and tells others which role they need. Members have one page. */
function PageFor({ role, children }: { role: Role; children: ReactNode }) {
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
