import { Button, Group } from '@mantine/core';
import { DeleteButton } from '../../../components/DeleteButton';
import { showDone, showError, showOutcome } from '../../../components/notices';
import { countOf } from '../../../text/format';
import { type Feed, useChangeFeed, useDeleteFeed, useRefreshFeed } from '../use-feeds';

export function FeedActions({ feed }: { feed: Feed }) {
  const refresh = useRefreshFeed(feed.id);
  const change = useChangeFeed(feed.id);
  const isPaused = feed.state === 'paused';

  const refreshNow = () =>
    refresh.mutate(undefined, {
      onSuccess: ({ lastError }) =>
        lastError === null ? showDone(`${feed.title} is fetched.`) : showError(new Error(lastError)),
      onError: showError,
    });
  const toggle = () =>
    showOutcome(
      change.mutateAsync({ paused: !isPaused }),
      isPaused ? `${feed.title} is fetched again.` : `${feed.title} is paused.`,
    );
  return (
    <Group gap="xs">
      <Button loading={refresh.isPending} onClick={refreshNow}>
        Refresh now
      </Button>
      {feed.state !== 'gone' && (
        <Button variant="default" loading={change.isPending} onClick={toggle}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
      <DeleteButton
        deletion={useDeleteFeed(feed.id)}
        title="Delete this feed?"
        text={`The feed will no longer be fetched, and its ${countOf(feed.items, 'item')} will be deleted. To keep them, pause the feed instead.`}
        confirm="Delete feed"
        done={`${feed.title} is deleted.`}
        to="/feeds"
      />
    </Group>
  );
}
