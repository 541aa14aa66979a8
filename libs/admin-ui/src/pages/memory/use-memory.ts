import { api, basedOn, type Schemas, useChange, useDeletion, useList, usePages, useRead } from '../../api/client';

export type MemoryEntry = Schemas['MemoryView'];
export type MemoryVersion = Schemas['MemoryVersionView'];
export type MemoryChange = Schemas['MemoryBody'];
export type NewEntry = Schemas['NewMemoryBody'];
export type SavedEntry = Schemas['SavedMemoryView'];
/** Identifies an entry. */
export type MemoryName = Pick<MemoryEntry, 'namespace' | 'key'>;

const MEMORY_KEY = ['memory'];
const LIST_KEY = [...MEMORY_KEY, 'list'];
const PAGE_SIZE = 50;

const oneKey = ({ namespace, key }: MemoryName) => [...MEMORY_KEY, 'one', namespace, key];
const historyKey = ({ namespace, key }: MemoryName) => [...MEMORY_KEY, 'history', namespace, key];

const pathOf = ({ namespace, key }: MemoryName) => ({ namespace, key });

export const addressOf = ({ namespace, key }: MemoryName) => `/memory/${namespace}/${key}`;

/** Returns the notice about a saved entry. */
export const savedText = ({ sameAs }: SavedEntry): string =>
  sameAs === null ? 'The entry is saved.' : `The entry is saved. The entry ${sameAs} says the same.`;

export const useMemoryEntries = (search: string, namespace: string) =>
  usePages(
    [...LIST_KEY, 'entries', search, namespace],
    (cursor) =>
      api.GET('/admin/api/memory', {
        params: { query: { q: search || undefined, namespace: namespace || undefined, limit: PAGE_SIZE, cursor } },
      }),
    { keepsPrevious: true },
  );

/** Loads the namespaces with the number of their entries. */
export const useNamespaces = () => useList([...LIST_KEY, 'namespaces'], () => api.GET('/admin/api/memory/namespaces'));

export const useMemoryEntry = (name: MemoryName) =>
  useRead(oneKey(name), () => api.GET('/admin/api/memory/{namespace}/{key}', { params: { path: pathOf(name) } }));

export const useMemoryHistory = (name: MemoryName) =>
  useRead(historyKey(name), () =>
    api.GET('/admin/api/memory/{namespace}/{key}/history', { params: { path: pathOf(name) } }),
  );

/** Adds an entry, without replacing any. */
export const useCreateEntry = () =>
  useChange([MEMORY_KEY], (body: NewEntry) =>
    api.POST('/admin/api/memory', { params: { header: { 'If-None-Match': '*' } }, body }),
  );

/** Changes an entry if it still has the version that was read; otherwise loads the current one. */
export const useChangeEntry = (entry: MemoryEntry) =>
  useChange([MEMORY_KEY], (body: MemoryChange) => {
    const params = { path: pathOf(entry), header: basedOn(entry.version) };
    return api.PUT('/admin/api/memory/{namespace}/{key}', { params, body });
  });

export const useDeleteEntry = (entry: MemoryName & { version: number }) =>
  useDeletion([MEMORY_KEY], () => {
    const params = { path: pathOf(entry), header: basedOn(entry.version) };
    return api.DELETE('/admin/api/memory/{namespace}/{key}', { params });
  });
