import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type ListedItem = Schemas['ListedItemView'];

const ITEMS_KEY = 'feed items';
const PAGE_SIZE = 30;

/** Lists the matching items, latest first. @param feed empty = all feeds */
export function useItems(search: string, feed: string) {
  return useInfiniteQuery({
    queryKey: [ITEMS_KEY, 'list', search, feed],
    queryFn: ({ pageParam: cursor }) => {
      const query = { q: search || undefined, feed: feed || undefined, limit: PAGE_SIZE, cursor };
      return bodyOf(api.GET('/admin/api/feed-items', { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function useItem(feed: string, id: string) {
  return useQuery({
    queryKey: [ITEMS_KEY, 'one', feed, id],
    queryFn: () => bodyOf(api.GET('/admin/api/feed-items/{feed}/{id}', { params: { path: { feed, id } } })),
  });
}
