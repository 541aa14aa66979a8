import { Button, Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { countOf } from '../../../text/format';
import { type Feed, useChangeFeed, useDeleteFeed, useRefreshFeed } from '../use-feeds';

export function FeedActions({ feed }: { feed: Feed }) {
  const navigate = useNavigate();
  const refresh = useRefreshFeed(feed.id);
  const change = useChangeFeed(feed.id);
  const remove = useDeleteFeed(feed.id);
  const isPaused = feed.state === 'paused';

  const refreshNow = () =>
    refresh.mutate(undefined, {
      onSuccess: ({ lastError }) =>
        lastError === null ? showDone(`${feed.title} is fetched.`) : showError(new Error(lastError)),
      onError: showError,
    });
  const toggle = () =>
    change.mutate(
      { paused: !isPaused },
      {
        onSuccess: () => showDone(isPaused ? `${feed.title} is fetched again.` : `${feed.title} is paused.`),
        onError: showError,
      },
    );
  const askToDelete = () =>
    confirm({
      title: 'Delete this feed?',
      text: `The feed will no longer be fetched, and its ${countOf(feed.items, 'item')} will be deleted. To keep them, pause the feed instead.`,
      confirm: 'Delete feed',
      onConfirm: () =>
        remove.mutate(undefined, {
          onSuccess: () => {
            showDone(`${feed.title} is deleted.`);
            void navigate('/feeds', { replace: true });
          },
          onError: showError,
        }),
    });
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
      <Button variant="default" loading={remove.isPending} onClick={askToDelete}>
        Delete
      </Button>
    </Group>
  );
}
