import { Group, Paper, Stack, Text } from '@mantine/core';
import { EmptyState } from '../../components/EmptyState';
import { useParam } from '../../components/FilterChoice';
import { LoadMore } from '../../components/LoadMore';
import { Ago } from '../../components/Moment';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { SearchField } from '../../components/SearchField';
import { TextLink } from '../../components/TextLink';
import { useSearch } from '../../components/use-search';
import { FeedSelect } from './FeedSelect';
import { type ListedItem, useItems } from './use-items';

export default function ItemsPage() {
  const { field, settledSearch } = useSearch();
  const [feed, chooseFeed] = useParam('feed');
  const pages = useItems(settledSearch, feed);
  const items = pages.data?.items;
  return (
    <>
      <TextLink to="/feeds">All feeds</TextLink>
      <PageHeader title="Feed items" about="Items of all feeds, latest first, as assistants find them." />
      <Stack>
        <Group align="end">
          <SearchField label="Search items" placeholder="Words in the title or the text" {...field} />
          <FeedSelect value={feed} onChange={chooseFeed} />
        </Group>
        <QueryState query={pages} height={96} />
        {items?.map((item) => (
          <ItemCard key={item.uri} item={item} />
        ))}
        {items?.length === 0 && (
          <EmptyState title={settledSearch ? 'No item found' : 'No items yet'}>
            {settledSearch
              ? 'All words must occur in an item: try fewer, or look in all feeds.'
              : 'Items appear when a feed has been fetched.'}
          </EmptyState>
        )}
      </Stack>
      <LoadMore pages={pages} />
    </>
  );
}

function ItemCard({ item }: { item: ListedItem }) {
  const { id, title, feed, author, publishedAt, firstSeenAt, summary } = item;
  return (
    <Paper component="article" aria-label={title} withBorder p="md">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        <TextLink to={`/feed-items/${encodeURIComponent(feed.id)}/${encodeURIComponent(id)}`}>{title}</TextLink>
      </Text>
      <Text size="sm" c="dimmed">
        {feed.title}, <Ago at={publishedAt ?? firstSeenAt} />
        {author && `, ${author}`}
      </Text>
      {summary && (
        <Text size="sm" mt={4} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {summary}
        </Text>
      )}
    </Paper>
  );
}
