import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { formatNumber } from '../../../text/format';
import { FeedState } from '../FeedState';
import type { Feed } from '../use-feeds';

const COLUMNS: readonly Column<Feed>[] = [
  {
    title: 'Feed',
    render: ({ id, title, url }) => (
      <div>
        <TextLink to={`/feeds/${encodeURIComponent(id)}`}>{title}</TextLink>
        <Text size="sm" c="dimmed">
          {url}
        </Text>
      </div>
    ),
  },
  { title: 'State', render: (feed) => <FeedState feed={feed} /> },
  { title: 'Items', render: ({ items }) => formatNumber(items) },
  { title: 'Last fetched', render: ({ lastFetchedAt }) => (lastFetchedAt ? <Ago at={lastFetchedAt} /> : 'Not yet') },
];

export function FeedsTable({ feeds }: { feeds: readonly Feed[] }) {
  return <DataTable label="Feeds" columns={COLUMNS} rows={feeds} keyOf={({ id }) => id} />;
}
