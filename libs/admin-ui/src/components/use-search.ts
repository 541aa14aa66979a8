import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

const TYPING_MS = 250;

/** Holds the text of a search. It is kept in the address under `name`, so that it is still there when the user returns. */
export function useSearch(name = 'q') {
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState(params.get(name) ?? '');
  const [settledSearch] = useDebouncedValue(search.trim(), TYPING_MS);
  const isInAddress = (params.get(name) ?? '') === settledSearch;
  useEffect(() => {
    if (!isInAddress) setParams((given) => withParam(given, name, settledSearch), { replace: true });
  }, [isInAddress, name, settledSearch, setParams]);
  return { search, setSearch, settledSearch };
}

function withParam(given: URLSearchParams, name: string, value: string): URLSearchParams {
  const params = new URLSearchParams(given);
  if (value) params.set(name, value);
  else params.delete(name);
  return params;
}
