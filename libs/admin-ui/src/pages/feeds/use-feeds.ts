import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isLoggedOut } from '../../api/api-error';
import { api, bodyOf, type Schemas, useChange, useDeletion, usePages, useRead } from '../../api/client';
import { messageOf } from '../../components/ErrorNotice';

export type Feed = Schemas['FeedView'];
export type FeedItem = Schemas['FeedItemView'];
export type FeedChange = Schemas['FeedBody'];
export type OpmlImport = Schemas['OpmlImportView'];

const FEEDS_KEY = ['feeds'];
const LIST_KEY = [...FEEDS_KEY, 'list'];
const PAGE_SIZE = 50;
const ITEMS_PAGE_SIZE = 20;
/** The service fetches feeds in the background, so they change without user actions. */
const REFRESH_MS = 15_000;

export const useFeeds = (search: string) =>
  usePages(
    [...LIST_KEY, search],
    (cursor) =>
      api.GET('/admin/api/feeds', { params: { query: { q: search || undefined, limit: PAGE_SIZE, cursor } } }),
    { keepsPrevious: true, refetchInterval: REFRESH_MS },
  );

export const useFeed = (id: string) =>
  useRead([...FEEDS_KEY, 'one', id], () => api.GET('/admin/api/feeds/{id}', { params: { path: { id } } }), {
    enabled: id !== '',
    refetchInterval: REFRESH_MS,
  });

export const useFeedItems = (id: string) =>
  usePages(
    [...FEEDS_KEY, 'items', id],
    (cursor) =>
      api.GET('/admin/api/feeds/{id}/items', {
        params: { path: { id }, query: { limit: ITEMS_PAGE_SIZE, cursor } },
      }),
    { refetchInterval: REFRESH_MS },
  );

export const useAddFeed = () => useChange([LIST_KEY], (url: string) => api.POST('/admin/api/feeds', { body: { url } }));

export function useImportOpml() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (files: readonly File[]) => mergedImports(await Promise.all(files.map(importFile))),
    onSettled: () => queries.invalidateQueries({ queryKey: LIST_KEY }),
  });
}

/** Imports files. One that fails does not stop the others. */
async function importFile(file: File): Promise<OpmlImport> {
  try {
    return await bodyOf(api.POST('/admin/api/feeds/opml', { body: { opml: await file.text() } }));
  } catch (error) {
    if (isLoggedOut(error)) throw error;
    return { added: [], existing: 0, refused: [{ url: file.name, reason: messageOf(error) }] };
  }
}

const mergedImports = (imports: readonly OpmlImport[]): OpmlImport => ({
  added: imports.flatMap(({ added }) => added),
  existing: imports.reduce((sum, { existing }) => sum + existing, 0),
  refused: imports.flatMap(({ refused }) => refused),
});

export const useChangeFeed = (id: string) =>
  useChange([FEEDS_KEY], (body: FeedChange) => api.PATCH('/admin/api/feeds/{id}', { params: { path: { id } }, body }));

export const useRefreshFeed = (id: string) =>
  useChange([FEEDS_KEY], () => api.POST('/admin/api/feeds/{id}/refresh', { params: { path: { id } } }));

export const useDeleteFeed = (id: string) =>
  useDeletion([FEEDS_KEY, ['feed items']], () => api.DELETE('/admin/api/feeds/{id}', { params: { path: { id } } }));
