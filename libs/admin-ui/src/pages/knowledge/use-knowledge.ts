import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, basedOn, type Schemas, useChange, useDeletion, useList, usePages, useRead } from '../../api/client';
import { useSaveSetting } from '../config/use-settings';
import { doneOf } from './list/meaning-progress';

export type DocumentListItem = Schemas['DocumentListItem'];
export type FullDocument = Schemas['FullDocument'];
export type DocumentBody = Schemas['DocumentBody'];
export type DocumentVersion = Schemas['DocumentVersionItem'];
/** Identifies a document in the version that was read. */
export type DocumentName = Pick<FullDocument, 'id' | 'version'>;
export type Embeddings = Schemas['EmbeddingsView'];

export const KNOWLEDGE_KEY = ['knowledge'];
export const COLLECTION_KEY = [...KNOWLEDGE_KEY, 'collection'];
const LIST_KEY = [...KNOWLEDGE_KEY, 'list'];
const EMBEDDINGS_KEY = [...KNOWLEDGE_KEY, 'embeddings'];
const PAGE_SIZE = 30;
const PROGRESS_MS = 3_000;

const oneKey = (id: string) => [...KNOWLEDGE_KEY, 'one', id];
const historyKey = (id: string) => [...KNOWLEDGE_KEY, 'history', id];

export const useDocuments = (search: string, tag: string) =>
  usePages(
    [...LIST_KEY, search, tag],
    (cursor) => {
      const query = { q: search || undefined, tag: tag || undefined, limit: PAGE_SIZE, cursor };
      return api.GET('/admin/api/knowledge', { params: { query } });
    },
    { keepsPrevious: true },
  );

export const useDocument = (id: string) =>
  useRead(oneKey(id), () => api.GET('/admin/api/knowledge/{id}', { params: { path: { id } } }));

export const useDocumentHistory = (id: string) =>
  useList(historyKey(id), () => api.GET('/admin/api/knowledge/{id}/history', { params: { path: { id } } }));

export const useDocumentVersion = (id: string, version: number) =>
  useRead(
    [...historyKey(id), version],
    () => api.GET('/admin/api/knowledge/{id}/history/{version}', { params: { path: { id, version } } }),
    { staleTime: Infinity }, // it never changes
  );

/** Polls the progress of embedding until it is done. */
export const useEmbeddings = () =>
  useRead(EMBEDDINGS_KEY, () => api.GET('/admin/api/knowledge/embeddings'), {
    refetchInterval: ({ state: { data } }) =>
      data && (doneOf(data) < 1 || (data.lastError ?? data.searchProblem) !== null) ? PROGRESS_MS : false,
  });

export function useTurnOnBuiltinModel() {
  const queries = useQueryClient();
  const save = useSaveSetting('knowledge.embeddings');
  return useMutation({
    mutationFn: () => save.mutateAsync('builtin'),
    onSuccess: () => queries.invalidateQueries({ queryKey: EMBEDDINGS_KEY }),
  });
}

export const useCreateDocument = () =>
  useChange([LIST_KEY, COLLECTION_KEY], (body: DocumentBody) => api.POST('/admin/api/knowledge', { body }));

/** Changes a document if it still has the version that was read; otherwise loads the current one. */
export const useUpdateDocument = ({ id, version }: DocumentName) =>
  useChange([oneKey(id), historyKey(id), LIST_KEY, COLLECTION_KEY], (body: DocumentBody) =>
    api.PUT('/admin/api/knowledge/{id}', { params: { path: { id }, header: basedOn(version) }, body }),
  );

export const useDeleteDocument = ({ id, version }: DocumentName) =>
  useDeletion([KNOWLEDGE_KEY], () =>
    api.DELETE('/admin/api/knowledge/{id}', { params: { path: { id }, header: basedOn(version) } }),
  );
