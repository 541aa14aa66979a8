import { MeterIcon } from '@primer/octicons-react';
import type { PageDefinition } from '../page-definition';
import { OverviewPage } from './OverviewPage';

export const overviewPage: PageDefinition = {
  path: '',
  title: 'Overview',
  icon: MeterIcon,
  element: <OverviewPage />,
  order: 10,
};
