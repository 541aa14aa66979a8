import { createBrowserRouter, type RouteObject } from 'react-router';
import { pages } from '../pages';
import { NotFoundPage, RouteError } from './ErrorPages';
import { LoginGate } from './LoginGate';
import { PageFor } from './PageFor';

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
      element: <LoginGate />,
      errorElement: <RouteError />,
      children: [{ errorElement: <RouteError />, children: [...routes, { path: '*', element: <NotFoundPage /> }] }],
    },
  ],
  { basename: import.meta.env.BASE_URL },
);
