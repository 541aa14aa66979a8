import { Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { EmptyState } from '../../components/EmptyState';
import { useParam } from '../../components/FilterChoice';
import { LoadMore } from '../../components/LoadMore';
import { Ago } from '../../components/Moment';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { SearchField } from '../../components/SearchField';
import { TextLink } from '../../components/TextLink';
import { useSearch } from '../../components/use-search';
import { type ListedItem, useItems } from './use-items';
import { useFeed, useFeeds } from '../feeds/use-feeds';

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

interface FeedSelectProps {
  value: string; // '' = all
  onChange: (feed: string) => void;
}

const ALL = { value: '', label: 'All feeds' };
const TYPING_MS = 250;

/** Select field for one of the feeds, of which there may be thousands: the service searches for the typed text. */
function FeedSelect({ value, onChange }: FeedSelectProps) {
  const [typed, setTyped] = useState('');
  const { data: chosen } = useFeed(value);
  const label = value === '' ? ALL.label : (chosen?.title ?? value);
  const [settled] = useDebouncedValue(typed === label ? '' : typed, TYPING_MS);
  const { data: found } = useFeeds(settled);
  const feeds = found?.items ?? [];
  const others = feeds.filter(({ id }) => id !== value).map(({ id, title }) => ({ value: id, label: title }));
  return (
    <Select
      label="Feed"
      w={{ base: '100%', xs: 320 }}
      searchable
      allowDeselect={false}
      nothingFoundMessage="There is no such feed"
      data={[ALL, ...(value === '' ? [] : [{ value, label }]), ...others]}
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
