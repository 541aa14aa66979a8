import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../../api/client';
import { KNOWLEDGE_KEY } from '../use-knowledge';

export type RemovedDocument = Schemas['RemovedDocumentView'];
export type RestoredDocument = Schemas['RestoredDocumentView'];

const PAGE_SIZE = 30;

/** Lists the documents in the trash, last removed first. */
export function useTrash() {
  return useInfiniteQuery({
    queryKey: [KNOWLEDGE_KEY, 'trash'],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(api.GET('/admin/api/knowledge-trash', { params: { query: { limit: PAGE_SIZE, cursor } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

export function useRestore(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => bodyOf(api.POST('/admin/api/knowledge-trash/{id}/restore', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: [KNOWLEDGE_KEY] }),
  });
}

export function usePurge(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/knowledge-trash/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [KNOWLEDGE_KEY, 'trash'] }),
  });
}
