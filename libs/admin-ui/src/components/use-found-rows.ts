import { useState } from 'react';
import { useSearch } from './use-search';

const ROWS_AT_ONCE = 100;

/**
 * Searches a list that came in one piece, and shows it in parts: a browser takes seconds for hundreds of rows.
 * @param textsOf the texts of a row that are searched
 */
export function useFoundRows<Row>(rows: readonly Row[] | undefined, textsOf: (row: Row) => readonly string[]) {
  const { search, setSearch, settledSearch } = useSearch();
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const wanted = settledSearch.toLowerCase();
  const found = rows?.filter((row) => textsOf(row).some((text) => text.toLowerCase().includes(wanted)));
  const pages = {
    hasNextPage: (found?.length ?? 0) > most,
    isFetchingNextPage: false,
    fetchNextPage: () => setMost(most + ROWS_AT_ONCE),
  };
  return { search, setSearch, settledSearch, found: found?.slice(0, most), pages };
}
