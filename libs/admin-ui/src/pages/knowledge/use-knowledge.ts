import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { isOutdated } from '../../api/api-error';
import { api, basedOn, bodyOf, type Schemas } from '../../api/client';
import { useSaveSetting } from '../config/use-settings';
import { doneOf } from './list/meaning-progress';

export type DocumentListItem = Schemas['DocumentListItem'];
export type FullDocument = Schemas['FullDocument'];
export type DocumentBody = Schemas['DocumentBody'];
export type DocumentVersion = Schemas['DocumentVersionItem'];
/** Identifies a document in the version that was read. */
export type DocumentName = Pick<FullDocument, 'id' | 'version'>;
export type Embeddings = Schemas['EmbeddingsView'];

export const KNOWLEDGE_KEY = 'knowledge';
export const COLLECTION_KEY = [KNOWLEDGE_KEY, 'collection'];
const LIST_KEY = [KNOWLEDGE_KEY, 'list'];
const EMBEDDINGS_KEY = [KNOWLEDGE_KEY, 'embeddings'];
const PAGE_SIZE = 30;
const PROGRESS_MS = 3_000;

const oneKey = (id: string) => [KNOWLEDGE_KEY, 'one', id];
const historyKey = (id: string) => [KNOWLEDGE_KEY, 'history', id];

export function useDocuments(search: string, tag: string) {
  return useInfiniteQuery({
    queryKey: [...LIST_KEY, search, tag],
    queryFn: ({ pageParam: cursor }) => {
      const query = { q: search || undefined, tag: tag || undefined, limit: PAGE_SIZE, cursor };
      return bodyOf(api.GET('/admin/api/knowledge', { params: { query } }));
    },
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

export function useDocumentHistory(id: string) {
  return useQuery({
    queryKey: historyKey(id),
    queryFn: async () =>
      (await bodyOf(api.GET('/admin/api/knowledge/{id}/history', { params: { path: { id } } }))).items,
  });
}

export function useDocumentVersion(id: string, version: number) {
  return useQuery({
    queryKey: [...historyKey(id), version],
    queryFn: () => {
      const params = { path: { id, version } };
      return bodyOf(api.GET('/admin/api/knowledge/{id}/history/{version}', { params }));
    },
    staleTime: Infinity, // it never changes
  });
}

/** Polls the progress of embedding until it is done. */
export function useEmbeddings() {
  return useQuery({
    queryKey: EMBEDDINGS_KEY,
    queryFn: () => bodyOf(api.GET('/admin/api/knowledge/embeddings')),
    refetchInterval: ({ state: { data } }) =>
      data && (doneOf(data) < 1 || (data.lastError ?? data.searchProblem) !== null) ? PROGRESS_MS : false,
  });
}

export function useTurnOnBuiltinModel() {
  const queries = useQueryClient();
  const save = useSaveSetting('knowledge.embeddings');
  return useMutation({
    mutationFn: () => save.mutateAsync('builtin'),
    onSuccess: () => queries.invalidateQueries({ queryKey: EMBEDDINGS_KEY }),
  });
}

export function useCreateDocument() {
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: (body: DocumentBody) => bodyOf(api.POST('/admin/api/knowledge', { body })),
    onSuccess: refreshList,
  });
}

/** Changes a document if it still has the version that was read; otherwise loads the current one. */
export function useUpdateDocument({ id, version }: DocumentName) {
  const queries = useQueryClient();
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: (body: DocumentBody) =>
      bodyOf(api.PUT('/admin/api/knowledge/{id}', { params: { path: { id }, header: basedOn(version) }, body })),
    onSuccess: async ({ outcome: _outcome, ...document }) => {
      queries.setQueryData<FullDocument>(oneKey(id), document);
      await queries.invalidateQueries({ queryKey: historyKey(id) });
      return refreshList();
    },
    onError: (error) => (isOutdated(error) ? queries.invalidateQueries({ queryKey: oneKey(id) }) : undefined),
  });
}

export function useDeleteDocument({ id, version }: DocumentName) {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/knowledge/{id}', { params: { path: { id }, header: basedOn(version) } }),
    ...useAfterDeletion([KNOWLEDGE_KEY]),
  });
}

function useRefreshList() {
  const queries = useQueryClient();
  return () => Promise.all([LIST_KEY, COLLECTION_KEY].map((queryKey) => queries.invalidateQueries({ queryKey })));
}
