import { IconPlugConnected } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const ConnectPage = lazy(() => import('./ConnectPage'));

export const connectPage: PageDefinition = {
  path: 'connect',
  title: 'Connect',
  icon: IconPlugConnected,
  element: <ConnectPage />,
  order: 20,
};
