import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

const TYPING_MS = 250;

/** What is searched for; kept in the address, so that it is still there when one comes back from a skill. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState(params.get('q') ?? '');
  const [settledSearch] = useDebouncedValue(search.trim(), TYPING_MS);
  const isInAddress = (params.get('q') ?? '') === settledSearch;
  useEffect(() => {
    if (!isInAddress) setParams(settledSearch ? { q: settledSearch } : {}, { replace: true });
  }, [isInAddress, settledSearch, setParams]);
  return { search, setSearch, settledSearch };
}
