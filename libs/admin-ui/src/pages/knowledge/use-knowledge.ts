import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isLoggedOut, isOutdated } from '../../api/api-error';
import { api, basedOn, bodyOf, type Schemas } from '../../api/client';
import { messageOf } from '../../components/ErrorNotice';
import { useSaveSetting } from '../config/use-settings';
import { batchesOf } from './import-batches';
import { doneOf } from './list/meaning-progress';

export type DocumentListItem = Schemas['DocumentListItem'];
export type FullDocument = Schemas['FullDocument'];
export type DocumentBody = Schemas['DocumentBody'];
export type DocumentVersion = Schemas['DocumentVersionItem'];
/** Identifies a document as it was read. */
export type DocumentName = Pick<FullDocument, 'id' | 'version'>;
export type Embeddings = Schemas['EmbeddingsView'];
export type ImportedFile = Schemas['ImportedFileView'];

const KNOWLEDGE_KEY = 'knowledge';
const LIST_KEY = [KNOWLEDGE_KEY, 'list'];
const EMBEDDINGS_KEY = [KNOWLEDGE_KEY, 'embeddings'];
const PAGE_SIZE = 30;
const PROGRESS_MS = 3_000;

const oneKey = (id: string) => [KNOWLEDGE_KEY, 'one', id];
const historyKey = (id: string) => [KNOWLEDGE_KEY, 'history', id];

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
    staleTime: Infinity, // it does not change
  });
}

/** Loads the progress of embedding, again and again until it is done. */
export function useEmbeddings() {
  return useQuery({
    queryKey: EMBEDDINGS_KEY,
    queryFn: () => bodyOf(api.GET('/admin/api/knowledge/embeddings')),
    refetchInterval: ({ state: { data } }) =>
      data && (doneOf(data) < 1 || data.lastError !== null) ? PROGRESS_MS : false,
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

/** Changes a document while it is the version that was read; otherwise what it says now is loaded. */
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
  const queries = useQueryClient();
  const refreshList = useRefreshList();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/knowledge/{id}', { params: { path: { id }, header: basedOn(version) } }),
    onError: (error) => (isOutdated(error) ? queries.invalidateQueries({ queryKey: oneKey(id) }) : undefined),
    onSettled: refreshList,
  });
}

/** Imports files in as many requests as their size needs. One that fails does not stop the others. */
export function useImportFiles() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const mutation = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const results: ImportedFile[] = [];
      for (const batch of batchesOf(files)) {
        setProgress({ done: results.length, total: files.length });
        results.push(...(await importBatch(batch)));
      }
      return results;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [KNOWLEDGE_KEY] }),
  });
  return { ...mutation, progress };
}

async function importBatch(batch: readonly File[]): Promise<ImportedFile[]> {
  const read = await Promise.all(batch.map(readFile));
  const files = read.filter((file) => 'content' in file);
  const unreadable = read.filter((file) => 'outcome' in file);
  if (files.length === 0) return unreadable;
  try {
    const imported = await bodyOf(api.POST('/admin/api/knowledge/import', { body: { files } }));
    return [...imported.files, ...unreadable];
  } catch (error) {
    if (isLoggedOut(error)) throw error;
    return [...files.map(({ path }) => failed(path, messageOf(error))), ...unreadable];
  }
}

async function readFile(file: File): Promise<{ path: string; content: string } | ImportedFile> {
  try {
    return { path: file.name, content: await file.text() };
  } catch {
    return failed(file.name, 'the browser could not read it; it may be a folder, or may have been moved or changed');
  }
}

const failed = (path: string, problem: string): ImportedFile => ({ path, outcome: 'failed', id: null, problem });

function useRefreshList() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: LIST_KEY });
}
