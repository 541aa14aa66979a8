import { Stack, Text } from '@mantine/core';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { LoadMore } from '../../../components/LoadMore';
import { Ago } from '../../../components/Moment';
import { OutsideLink } from '../../../components/OutsideLink';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import { type FeedItem, useFeedItems } from '../use-feeds';

export function FeedItems({ id }: { id: string }) {
  const pages = useFeedItems(id);
  const items = pages.data?.pages.flatMap((page) => page.items);
  return (
    <Section
      title="Latest items"
      actions={<TextLink to={`/feed-items?feed=${encodeURIComponent(id)}`}>Read and search its items</TextLink>}
    >
      {pages.error && <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingLines />}
      {items?.length === 0 && (
        <EmptyState title="No items yet">Items appear when the feed has been fetched: try “Refresh now”.</EmptyState>
      )}
      <Stack gap="lg">
        {items?.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </Stack>
      <LoadMore pages={pages} />
    </Section>
  );
}

function Item({ item: { url, title, author, publishedAt, firstSeenAt, summary } }: { item: FeedItem }) {
  return (
    <article>
      <Text fw={600}>
        <OutsideLink href={url}>{title}</OutsideLink>
      </Text>
      <Text size="sm" c="dimmed">
        <Ago at={publishedAt ?? firstSeenAt} />
        {author && `, ${author}`}
      </Text>
      {summary && (
        <Text size="sm" mt={4} lineClamp={4}>
          {summary}
        </Text>
      )}
    </article>
  );
}
