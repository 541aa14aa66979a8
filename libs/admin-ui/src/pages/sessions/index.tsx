import { IconUsers } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const SessionsPage = lazy(() => import('./SessionsPage'));

export const sessionsPage: PageDefinition = {
  path: 'sessions',
  title: 'Sessions',
  icon: IconUsers,
  element: <SessionsPage />,
  order: 70,
};
