import { api, type Schemas, usePages, useRead } from '../../api/client';

export type ListedItem = Schemas['ListedItemView'];

const ITEMS_KEY = ['feed items'];
const PAGE_SIZE = 30;

/** Lists the matching items, latest first. @param feed empty = all feeds */
export const useItems = (search: string, feed: string) =>
  usePages(
    [...ITEMS_KEY, 'list', search, feed],
    (cursor) => {
      const query = { q: search || undefined, feed: feed || undefined, limit: PAGE_SIZE, cursor };
      return api.GET('/admin/api/feed-items', { params: { query } });
    },
    { keepsPrevious: true },
  );

export const useItem = (feed: string, id: string) =>
  useRead([...ITEMS_KEY, 'one', feed, id], () =>
    api.GET('/admin/api/feed-items/{feed}/{id}', { params: { path: { feed, id } } }),
  );
