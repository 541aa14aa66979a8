import { RssIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const FeedsPage = lazy(() => import('./list/FeedsPage'));
const FeedPage = lazy(() => import('./detail/FeedPage'));

export const feedsPage: PageDefinition = {
  path: 'feeds',
  title: 'Feeds',
  icon: RssIcon,
  element: <FeedsPage />,
  order: 60,
  details: [{ path: ':id', element: <FeedPage /> }],
};
