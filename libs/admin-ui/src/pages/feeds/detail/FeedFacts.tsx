import { Paper } from '@mantine/core';
import { Facts } from '../../../components/Facts';
import { Ago, Until } from '../../../components/Moment';
import { OutsideLink } from '../../../components/OutsideLink';
import { formatNumber } from '../../../text/format';
import { FeedState } from '../FeedState';
import type { Feed } from '../use-feeds';

export function FeedFacts({ feed }: { feed: Feed }) {
  const { url, siteUrl, uri, folders, items, lastFetchedAt, lastChangedAt, nextPollAt, state } = feed;
  return (
    <Paper withBorder p="md">
      <Facts
        facts={[
          { title: 'State', value: <FeedState feed={feed} /> },
          { title: 'Address', value: <OutsideLink href={url}>{url}</OutsideLink> },
          { title: 'Website', value: siteUrl && <OutsideLink href={siteUrl}>{siteUrl}</OutsideLink> },
          { title: 'Resource', value: uri },
          { title: 'Folder', value: folders.length > 0 ? folders.join(' / ') : null },
          { title: 'Items', value: formatNumber(items) },
          { title: 'Last fetched', value: lastFetchedAt ? <Ago at={lastFetchedAt} /> : 'Not yet' },
          { title: 'Last news', value: lastChangedAt && <Ago at={lastChangedAt} /> },
          { title: 'Next fetch', value: nextPollAt && state === 'active' ? <Until at={nextPollAt} /> : null },
        ]}
      />
    </Paper>
  );
}
