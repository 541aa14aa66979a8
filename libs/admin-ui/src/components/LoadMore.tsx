import { Button, Stack } from '@mantine/core';
import { ErrorNotice } from './ErrorNotice';

/** A list that is loaded page by page. */
export interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  /** Why the next page could not be loaded. */
  isFetchNextPageError?: boolean;
  error?: Error | null;
  fetchNextPage: () => unknown;
}

/** Button that loads the next page of a list. */
export function LoadMore({ pages, label = 'Show more' }: { pages: Pages; label?: string }) {
  if (!pages.hasNextPage) return null;
  return (
    <Stack align="center" mt="md">
      {pages.isFetchNextPageError && <ErrorNotice error={pages.error} />}
      <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {label}
      </Button>
    </Stack>
  );
}
