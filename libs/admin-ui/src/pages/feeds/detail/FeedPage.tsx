import { OnlyFor } from '../../../components/OnlyFor';
import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { useFeed } from '../use-feeds';
import { FeedActions } from './FeedActions';
import { FeedFacts } from './FeedFacts';
import { FeedForm } from './FeedForm';
import { FeedItems } from './FeedItems';

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
