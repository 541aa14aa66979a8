import { IconSettings } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const ConfigPage = lazy(() => import('./ConfigPage'));

export const configPage: PageDefinition = {
  path: 'config',
  title: 'Config',
  icon: IconSettings,
  element: <ConfigPage />,
  order: 90,
};
