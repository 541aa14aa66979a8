import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas, useList, useRead } from '../../api/client';
import { messageOf } from '../../components/ErrorNotice';
import { COLLECTION_KEY, type DocumentListItem, KNOWLEDGE_KEY } from './use-knowledge';

/** A document as shown in the list. */
export type SeenDocument = Pick<DocumentListItem, 'id' | 'title' | 'version'>;
export type ManyChange = Pick<Schemas['DocumentsChange'], 'change' | 'addTags' | 'removeTags'>;
export type ChangedDocument = Schemas['ChangedDocumentView'];

/** The outcome of a change of many documents. */
export interface ChangeResult {
  change: ManyChange;
  documents: readonly ChangedDocument[];
  /** The documents that were no longer tried. */
  untried: readonly SeenDocument[];
  /** Why they were not tried; null = all were tried. */
  problem: string | null;
}

const SUGGESTED = 30;
/** The maximum of one page of the list. */
const LISTED_AT_ONCE = 200;
/** The maximum of one request. */
const CHANGED_AT_ONCE = 100;

/** The filter of the list. Empty = all. */
export interface Wanted {
  search: string;
  tag: string;
}

const toQuery = ({ search, tag }: Wanted) => ({ q: search || undefined, tag: tag || undefined });

/** Counts all documents, and the matching ones. */
export const useDocumentCount = ({ search, tag }: Wanted) =>
  useRead(
    [...COLLECTION_KEY, 'count', search, tag],
    () => api.GET('/admin/api/knowledge-documents/count', { params: { query: toQuery({ search, tag }) } }),
    { placeholderData: keepPreviousData },
  );

/** Lists the tags that contain the typed text, most used first. */
export const useTagSuggestions = (typed: string) =>
  useList(
    [...COLLECTION_KEY, 'tags', typed],
    () => {
      const query = { q: typed || undefined, limit: SUGGESTED };
      return api.GET('/admin/api/knowledge-documents/tags', { params: { query } });
    },
    { placeholderData: keepPreviousData },
  );

/** Reads all matching documents, page by page. */
export function useAllThatMatch() {
  const [count, setCount] = useState(0);
  const read = useMutation({
    mutationFn: async (wanted: Wanted) => {
      const found: SeenDocument[] = [];
      for (let cursor: string | undefined; ;) {
        const query = { ...toQuery(wanted), limit: LISTED_AT_ONCE, cursor };
        const page = await bodyOf(api.GET('/admin/api/knowledge-documents/matching', { params: { query } }));
        found.push(...page.items);
        setCount(found.length);
        if (page.nextCursor === null) return found;
        cursor = page.nextCursor;
      }
    },
    onMutate: () => setCount(0),
  });
  return { ...read, count };
}

/** Changes documents in batches, so that progress is visible and no request is too large. */
export function useChangeMany() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const change = useMutation({
    mutationFn: async ({ change, documents }: { change: ManyChange; documents: readonly SeenDocument[] }) => {
      const changed: ChangedDocument[] = [];
      for (let start = 0; start < documents.length; start += CHANGED_AT_ONCE) {
        setProgress({ done: start, total: documents.length });
        const some = documents.slice(start, start + CHANGED_AT_ONCE).map(({ id, version }) => ({ id, version }));
        try {
          const body = { ...change, documents: some };
          changed.push(...(await bodyOf(api.POST('/admin/api/knowledge-documents/changes', { body }))).documents);
        } catch (error) {
          return { change, documents: changed, untried: documents.slice(start), problem: messageOf(error) };
        }
      }
      return { change, documents: changed, untried: [], problem: null } satisfies ChangeResult;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KNOWLEDGE_KEY }),
  });
  return { ...change, progress };
}
