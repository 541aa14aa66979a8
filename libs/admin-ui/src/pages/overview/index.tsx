import { IconLayoutDashboard } from '@tabler/icons-react';
import type { PageDefinition } from '../page-definition';
import { OverviewPage } from './OverviewPage';

export const overviewPage: PageDefinition = {
  path: '',
  title: 'Overview',
  icon: IconLayoutDashboard,
  element: <OverviewPage />,
  order: 10,
};
