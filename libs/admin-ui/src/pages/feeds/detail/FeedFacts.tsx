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
        facts={{
          State: <FeedState feed={feed} />,
          Address: <OutsideLink href={url}>{url}</OutsideLink>,
          Website: siteUrl && <OutsideLink href={siteUrl}>{siteUrl}</OutsideLink>,
          Resource: uri,
          Folder: folders.length > 0 ? folders.join(' / ') : null,
          Items: formatNumber(items),
          'Last fetched': lastFetchedAt ? <Ago at={lastFetchedAt} /> : 'Not yet',
          'Last news': lastChangedAt && <Ago at={lastChangedAt} />,
          'Next fetch': nextPollAt && state === 'active' ? <Until at={nextPollAt} /> : null,
        }}
      />
    </Paper>
  );
}
