import { PlugIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const ConnectPage = lazy(() => import('./ConnectPage'));

export const connectPage: PageDefinition = {
  path: 'connect',
  title: 'Connect',
  icon: PlugIcon,
  element: <ConnectPage />,
  order: 20,
};
