import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

const TYPING_MS = 250;

/**
 * Holds the text of a search, for the `field` in which it is entered. It is kept in the URL under `name`, so that it survives navigation; a link to the page with another
 * text, or none, changes it.
 */
export function useSearch(name = 'q') {
  const [params, setParams] = useSearchParams();
  const given = params.get(name) ?? '';
  const [search, setSearch] = useState(given);
  const [settledSearch] = useDebouncedValue(search.trim(), TYPING_MS);
  const isSettled = settledSearch === search.trim();
  const seen = useRef(given);
  const written = useRef(given);
  useEffect(() => {
    const hasChanged = seen.current !== given;
    seen.current = given;
    if (hasChanged && given !== written.current) {
      written.current = given;
      setSearch(given);
    } else if (isSettled && given !== settledSearch) {
      written.current = settledSearch;
      setParams((before) => withParam(before, name, settledSearch), { replace: true });
    }
  }, [given, isSettled, name, settledSearch, setParams]);
  return { search, setSearch, settledSearch, field: { value: search, onChange: setSearch } };
}

/** Returns the parameters of a URL with one of them changed; '' removes it. */
export function withParam(given: URLSearchParams, name: string, value: string): URLSearchParams {
  const params = new URLSearchParams(given);
  if (value) params.set(name, value);
  else params.delete(name);
  return params;
}
