import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { isLoggedOut } from '../../api/api-error';
import { api, bodyOf, type Schemas } from '../../api/client';
import { messageOf } from '../../components/ErrorNotice';

export type Feed = Schemas['FeedView'];
export type FeedItem = Schemas['FeedItemView'];
export type FeedChange = Schemas['FeedBody'];
export type OpmlImport = Schemas['OpmlImportView'];

const FEEDS_KEY = 'feeds';
const LIST_KEY = [FEEDS_KEY, 'list'];
const PAGE_SIZE = 50;
const ITEMS_PAGE_SIZE = 20;
/** The service fetches feeds in the background, so they change without user actions. */
const REFRESH_MS = 15_000;

const oneKey = (id: string) => [FEEDS_KEY, 'one', id];
const itemsKey = (id: string) => [FEEDS_KEY, 'items', id];

export function useFeeds(search: string) {
  return useInfiniteQuery({
    queryKey: [...LIST_KEY, search],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(api.GET('/admin/api/feeds', { params: { query: { q: search || undefined, limit: PAGE_SIZE, cursor } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export function useFeed(id: string) {
  return useQuery({
    queryKey: oneKey(id),
    queryFn: () => bodyOf(api.GET('/admin/api/feeds/{id}', { params: { path: { id } } })),
    enabled: id !== '',
    refetchInterval: REFRESH_MS,
  });
}

export function useFeedItems(id: string) {
  return useInfiniteQuery({
    queryKey: itemsKey(id),
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(
        api.GET('/admin/api/feeds/{id}/items', {
          params: { path: { id }, query: { limit: ITEMS_PAGE_SIZE, cursor } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
}

export function useAddFeed() {
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: (url: string) => bodyOf(api.POST('/admin/api/feeds', { body: { url } })),
    onSettled: refreshList,
  });
}

export function useImportOpml() {
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: async (files: readonly File[]) => mergedImports(await Promise.all(files.map(importFile))),
    onSettled: refreshList,
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

export function useChangeFeed(id: string) {
  const show = useShowFeed(id);
  return useMutation({
    mutationFn: (body: FeedChange) => bodyOf(api.PATCH('/admin/api/feeds/{id}', { params: { path: { id } }, body })),
    onSuccess: show,
  });
}

export function useRefreshFeed(id: string) {
  const queries = useQueryClient();
  const show = useShowFeed(id);
  return useMutation({
    mutationFn: () => bodyOf(api.POST('/admin/api/feeds/{id}/refresh', { params: { path: { id } } })),
    onSuccess: async (feed) => {
      await show(feed);
      await queries.invalidateQueries({ queryKey: itemsKey(id) });
    },
  });
}

export function useDeleteFeed(id: string) {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/feeds/{id}', { params: { path: { id } } }),
    ...useAfterDeletion([FEEDS_KEY], ['feed items']),
  });
}

function useShowFeed(id: string) {
  const queries = useQueryClient();
  const refreshList = useRefreshList();
  return (feed: Feed) => {
    queries.setQueryData(oneKey(id), feed);
    return refreshList();
  };
}

function useRefreshList() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: LIST_KEY });
}
