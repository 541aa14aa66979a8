import { Stack, Text } from '@mantine/core';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { Ago } from '../../../components/Moment';
import { OutsideLink } from '../../../components/OutsideLink';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import { type FeedItem, useFeedItems } from '../use-feeds';

export function FeedItems({ id }: { id: string }) {
  const pages = useFeedItems(id);
  const items = pages.data?.items;
  return (
    <Section
      title="Latest items"
      actions={<TextLink to={`/feed-items?feed=${encodeURIComponent(id)}`}>Read and search its items</TextLink>}
    >
      <QueryState query={pages} />
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
