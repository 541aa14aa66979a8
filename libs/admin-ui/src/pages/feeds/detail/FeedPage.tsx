import { Paper, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { type Feed, useFeed } from '../use-feeds';
import { FeedActions } from './FeedActions';
import { FeedForm } from './FeedForm';
import { FeedItems } from './FeedItems';
import { Facts } from '../../../components/Facts';
import { Ago, Until } from '../../../components/Moment';
import { OutsideLink } from '../../../components/OutsideLink';
import { formatNumber } from '../../../text/format';
import { FeedState } from '../FeedState';

export default function FeedPage() {
  const { id = '' } = useParams();
  const query = useFeed(id);
  const feed = query.data;
  return (
    <>
      <TextLink to="/feeds">All feeds</TextLink>
      <PageHeader
        title={feed?.title ?? id}
        about={feed?.description}
        actions={
          feed && (
            <OnlyFor role="editor">
              <FeedActions key={id} feed={feed} />
            </OnlyFor>
          )
        }
      />
      <Stack>
        <QueryState query={query} height={160} />
        {feed && (
          <>
            <FeedFacts feed={feed} />
            <FeedItems id={feed.id} />
            <OnlyFor role="editor">
              <FeedForm key={feed.id} feed={feed} />
            </OnlyFor>
          </>
        )}
      </Stack>
    </>
  );
}

function FeedFacts({ feed }: { feed: Feed }) {
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
