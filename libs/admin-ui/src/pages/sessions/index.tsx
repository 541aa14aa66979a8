import { PeopleIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const SessionsPage = lazy(() => import('./SessionsPage'));

export const sessionsPage: PageDefinition = {
  path: 'sessions',
  title: 'Sessions',
  icon: PeopleIcon,
  element: <SessionsPage />,
  order: 70,
};
