import { createBrowserRouter, type RouteObject } from 'react-router';
import { pages } from '../pages';
import { NotFoundPage, RouteError } from './ErrorPages';
import { LoginGate } from './LoginGate';

const routes: RouteObject[] = pages.flatMap(({ path, element, details = [] }) => [
  { path, element },
  ...details.map((detail) => ({ path: `${path}/${detail.path}`, element: detail.element })),
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
