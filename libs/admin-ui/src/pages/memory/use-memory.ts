import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { isOutdated } from '../../api/api-error';
import { api, basedOn, bodyOf, type Schemas } from '../../api/client';

export type MemoryEntry = Schemas['MemoryView'];
export type MemoryVersion = Schemas['MemoryVersionView'];
export type MemoryChange = Schemas['MemoryBody'];
export type NewEntry = Schemas['NewMemoryBody'];
export type SavedEntry = Schemas['SavedMemoryView'];
/** Identifies an entry. */
export type MemoryName = Pick<MemoryEntry, 'namespace' | 'key'>;

const MEMORY_KEY = 'memory';
const LIST_KEY = [MEMORY_KEY, 'list'];
const PAGE_SIZE = 50;

const oneKey = ({ namespace, key }: MemoryName) => [MEMORY_KEY, 'one', namespace, key];
const historyKey = ({ namespace, key }: MemoryName) => [MEMORY_KEY, 'history', namespace, key];

const pathOf = ({ namespace, key }: MemoryName) => ({ namespace, key });

export const addressOf = ({ namespace, key }: MemoryName) => `/memory/${namespace}/${key}`;

/** Returns the notice about a saved entry. */
export const savedText = ({ sameAs }: SavedEntry): string =>
  sameAs === null ? 'The entry is saved.' : `The entry is saved. The entry ${sameAs} says the same.`;

export function useMemoryEntries(search: string, namespace: string) {
  return useInfiniteQuery({
    queryKey: [...LIST_KEY, 'entries', search, namespace],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(
        api.GET('/admin/api/memory', {
          params: { query: { q: search || undefined, namespace: namespace || undefined, limit: PAGE_SIZE, cursor } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** Loads the namespaces with the number of their entries. */
export function useNamespaces() {
  return useQuery({
    queryKey: [...LIST_KEY, 'namespaces'],
    queryFn: async () => (await bodyOf(api.GET('/admin/api/memory/namespaces'))).items,
  });
}

export function useMemoryEntry(name: MemoryName) {
  return useQuery({
    queryKey: oneKey(name),
    queryFn: () => bodyOf(api.GET('/admin/api/memory/{namespace}/{key}', { params: { path: pathOf(name) } })),
  });
}

export function useMemoryHistory(name: MemoryName) {
  return useQuery({
    queryKey: historyKey(name),
    queryFn: () => bodyOf(api.GET('/admin/api/memory/{namespace}/{key}/history', { params: { path: pathOf(name) } })),
  });
}

/** Adds an entry, without replacing any. */
export function useCreateEntry() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewEntry) =>
      bodyOf(api.POST('/admin/api/memory', { params: { header: { 'If-None-Match': '*' } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [MEMORY_KEY] }),
  });
}

/** Changes an entry if it still has the version that was read; otherwise loads the current one. */
export function useChangeEntry(entry: MemoryEntry) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: MemoryChange) => {
      const params = { path: pathOf(entry), header: basedOn(entry.version) };
      return bodyOf(api.PUT('/admin/api/memory/{namespace}/{key}', { params, body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [MEMORY_KEY] }),
    onError: (error) => (isOutdated(error) ? queries.invalidateQueries({ queryKey: [MEMORY_KEY] }) : undefined),
  });
}

export function useDeleteEntry(entry: MemoryEntry) {
  return useMutation({
    mutationFn: () => {
      const params = { path: pathOf(entry), header: basedOn(entry.version) };
      return api.DELETE('/admin/api/memory/{namespace}/{key}', { params });
    },
    ...useAfterDeletion([MEMORY_KEY]),
  });
}
