import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { batchesOf } from './import-batches';

export type DocumentListItem = Schemas['DocumentListItem'];
export type FullDocument = Schemas['FullDocument'];
export type DocumentBody = Schemas['DocumentBody'];
export type ImportedFile = Schemas['ImportedFileView'];

const KNOWLEDGE_KEY = 'knowledge';
const LIST_KEY = [KNOWLEDGE_KEY, 'list'];
const PAGE_SIZE = 30;

const oneKey = (id: string) => [KNOWLEDGE_KEY, 'one', id];

export function useDocuments(search: string, tag: string) {
  return useInfiniteQuery({
    queryKey: [...LIST_KEY, search, tag],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(
        api.GET('/admin/api/knowledge', {
          params: { query: { q: search || undefined, tag: tag || undefined, limit: PAGE_SIZE, cursor } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function useDocument(id: string) {
  return useQuery({
    queryKey: oneKey(id),
    queryFn: () => bodyOf(api.GET('/admin/api/knowledge/{id}', { params: { path: { id } } })),
  });
}

export function useCreateDocument() {
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: (body: DocumentBody) => bodyOf(api.POST('/admin/api/knowledge', { body })),
    onSuccess: refreshList,
  });
}

export function useUpdateDocument(id: string) {
  const queries = useQueryClient();
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: (body: DocumentBody) =>
      bodyOf(api.PUT('/admin/api/knowledge/{id}', { params: { path: { id } }, body })),
    onSuccess: ({ outcome: _outcome, ...document }) => {
      queries.setQueryData<FullDocument>(oneKey(id), document);
      return refreshList();
    },
  });
}

export function useDeleteDocument(id: string) {
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/knowledge/{id}', { params: { path: { id } } }),
    onSettled: refreshList,
  });
}

/** Imports files, in as many requests as their size needs. */
export function useImportFiles() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      const results: ImportedFile[] = [];
      for (const batch of batchesOf(files)) {
        const body = { files: await Promise.all(batch.map(read)) };
        results.push(...(await bodyOf(api.POST('/admin/api/knowledge/import', { body }))).files);
      }
      return results;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [KNOWLEDGE_KEY] }),
  });
}

const read = async (file: File) => ({ path: file.name, content: await file.text() });

function useRefreshList() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: LIST_KEY });
}
