import { api, type Schemas, useChange, usePages } from '../../../api/client';
import { KNOWLEDGE_KEY } from '../use-knowledge';

export type RemovedDocument = Schemas['RemovedDocumentView'];
export type RestoredDocument = Schemas['RestoredDocumentView'];

const PAGE_SIZE = 30;

/** Lists the documents in the trash, last removed first. */
export const useTrash = () =>
  usePages([...KNOWLEDGE_KEY, 'trash'], (cursor) =>
    api.GET('/admin/api/knowledge-trash', { params: { query: { limit: PAGE_SIZE, cursor } } }),
  );

export const useRestore = (id: string) =>
  useChange([KNOWLEDGE_KEY], () => api.POST('/admin/api/knowledge-trash/{id}/restore', { params: { path: { id } } }));

export const usePurge = (id: string) =>
  useChange([[...KNOWLEDGE_KEY, 'trash']], () =>
    api.DELETE('/admin/api/knowledge-trash/{id}', { params: { path: { id } } }),
  );
