import { lazy, Suspense } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { pages } from '../pages';
import { NotFoundPage, RouteError } from './ErrorPages';
import { LoginGate } from './LoginGate';
import { PageFor } from './PageFor';
import { Shell } from './shell/Shell';

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
