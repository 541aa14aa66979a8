import { Badge, Stack, Text } from '@mantine/core';
import { Until } from '../../components/Moment';
import type { Feed } from './use-feeds';

const STATES: Readonly<Record<Feed['state'], { text: string; color: string }>> = {
  active: { text: 'OK', color: 'teal' },
  failing: { text: 'Failing', color: 'red' },
  paused: { text: 'Paused', color: 'gray' },
  gone: { text: 'Gone', color: 'orange' },
};

const NOT_FETCHED = { text: 'Not fetched yet', color: 'gray' };

/** Shows the state of a feed, and its problem. */
export function FeedState({ feed }: { feed: Feed }) {
  const isNew = feed.state === 'active' && feed.lastFetchedAt === null;
  const { text, color } = isNew ? NOT_FETCHED : STATES[feed.state];
  return (
    <Stack gap={4} align="start">
      <Badge color={color}>{text}</Badge>
      {feed.state === 'failing' && (
        <Text size="sm" c="var(--app-bad)">
          {feed.lastError}
        </Text>
      )}
      {feed.state === 'failing' && feed.nextPollAt && (
        <Text size="sm" c="dimmed">
          Next try <Until at={feed.nextPollAt} />
        </Text>
      )}
      {feed.state === 'gone' && (
        <Text size="sm" c="dimmed">
          The publisher ended it; its items are kept.
        </Text>
      )}
    </Stack>
  );
}
