import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useFeed, useFeeds } from '../feeds/use-feeds';

interface FeedSelectProps {
  value: string; // '' = all
  onChange: (feed: string) => void;
}

const ALL = { value: '', label: 'All feeds' };
const TYPING_MS = 250;

/** Select field for one of the feeds, of which there may be thousands: the service searches for the typed text. */
export function FeedSelect({ value, onChange }: FeedSelectProps) {
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
