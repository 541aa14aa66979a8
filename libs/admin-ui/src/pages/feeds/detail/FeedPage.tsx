import { OnlyFor } from '../../../components/OnlyFor';
import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { useFeed } from '../use-feeds';
import { FeedActions } from './FeedActions';
import { FeedFacts } from './FeedFacts';
import { FeedForm } from './FeedForm';
import { FeedItems } from './FeedItems';

export default function FeedPage() {
  const { id = '' } = useParams();
  const { data: feed, error, isPending, refetch } = useFeed(id);
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
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isPending && <LoadingLines height={160} />}
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
