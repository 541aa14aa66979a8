import { GearIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const ConfigPage = lazy(() => import('./ConfigPage'));

export const configPage: PageDefinition = {
  path: 'config',
  title: 'Config',
  icon: GearIcon,
  element: <ConfigPage />,
  order: 90,
};
