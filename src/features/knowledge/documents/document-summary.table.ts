import type { Selectable } from 'kysely';
import type { KnowledgeDocumentTable } from '../../../platform/database/text-tables.js';
import type { DocumentSummary } from './document.js';

export const SUMMARY_COLUMNS = [
  'id',
  'title',
  'tags',
  'source',
  'path',
  'version',
  'created_at',
  'updated_at',
] as const;

type SummaryRow = Pick<Selectable<KnowledgeDocumentTable>, (typeof SUMMARY_COLUMNS)[number]>;

export function toSummary(row: SummaryRow): Omit<DocumentSummary, 'characters'> {
  return {
    id: row.id,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    source: row.source,
    path: row.path,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

/** Returns the name of the lock on an address, for creating or removing its document. */
export const idLock = (id: string): string => `knowledge:id ${id}`;
