import { useState } from 'react';
import { useSearch } from './use-search';

const ROWS_AT_ONCE = 100;

/** Shows rows that came in one piece in parts: a browser takes seconds for hundreds of them. */
export function useRowsInParts<Row>(rows: readonly Row[] | undefined) {
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const pages = {
    hasNextPage: (rows?.length ?? 0) > most,
    isFetchingNextPage: false,
    fetchNextPage: () => setMost(most + ROWS_AT_ONCE),
  };
  return { shown: rows?.slice(0, most), pages };
}

/**
 * Searches a list that came in one piece, and shows it in parts.
 * @param textsOf the texts of a row that are searched
 */
export function useFoundRows<Row>(rows: readonly Row[] | undefined, textsOf: (row: Row) => readonly string[]) {
  const { field, settledSearch } = useSearch();
  const wanted = settledSearch.toLowerCase();
  const all = rows?.filter((row) => textsOf(row).some((text) => text.toLowerCase().includes(wanted)));
  const { shown: found, pages } = useRowsInParts(all);
  return { field, settledSearch, found, pages };
}
