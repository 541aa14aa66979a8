import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import type { KnowledgePassageTable } from '../../../platform/database/text-tables.js';
import { dialectOf, isOneOf } from '../../../platform/sql/dialect.js';
import { languagesOf } from '../../../platform/text/counts.table.js';
import type { Language } from '../../../platform/text/language.rules.js';
import { relevanceOf, WHOLE_DOCUMENT } from '../../../platform/text/ranking.rules.js';
import { searchTextIndex, type TextMatches } from '../../../platform/text/text-index.js';
import type { TextQuery } from '../../../platform/text/text-query.rules.js';
import type { FieldLengths } from '../../../platform/text/word-counts.rules.js';
import type { DocumentSummary, FoundPassage, Neighbours, Placed, PlacedPassage } from '../documents/document.js';
import { toSummary } from '../documents/document-summary.table.js';
import { KNOWLEDGE_INDEX } from './document-parts.table.js';
import { labelOfTag } from './passages.rules.js';

export interface PassageSearch {
  query: TextQuery;
  /** The document must have all of them. */
  tags: readonly string[];
  limit: number;
  signal?: AbortSignal | undefined;
}

export type PassageOfDocument = FoundPassage & {
  document: Omit<DocumentSummary, 'characters'>;
  neighbours: Neighbours;
  /** The language of its words in the index. */
  language: Language;
};

/** Searches and reads the passages of all documents. */
@Injectable()
export class PassageStore {
  private readonly averages = new WeakMap<FieldLengths, Promise<FieldLengths>>();

  constructor(private readonly database: Database) {}

  /** Returns the best matching passages, best first. */
  search({ query, tags, limit, signal }: PassageSearch): Promise<TextMatches> {
    return searchTextIndex(this.database.longReads, {
      index: KNOWLEDGE_INDEX,
      query,
      limit,
      labels: tags.map(labelOfTag),
      except: null,
      signal,
    });
  }

  /** Returns the document of each passage, by the id of the passage; leaves out passages that no longer exist. */
  async documentsOf(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.longReads
      .selectFrom('knowledge_passages')
      .select(['id', 'document_id'])
      .where(isOneOf(dialectOf(this.database), 'id', ids))
      .execute();
    return new Map(rows.map(({ id, document_id }) => [id, document_id]));
  }

  /** Returns the scores of whole documents for the words of a passage search, by document id. */
  async relevanceOfDocuments(
    documentIds: readonly string[],
    { terms, averages }: Pick<TextMatches, 'terms' | 'averages'>,
  ): Promise<Map<string, number>> {
    if (documentIds.length === 0) return new Map();
    const [rows, average] = await Promise.all([
      this.database.longReads
        .selectFrom('knowledge_document_words')
        .select(['document_id', 'counts'])
        .where(isOneOf(dialectOf(this.database), 'document_id', documentIds))
        .execute(),
      this.averageDocument(averages),
    ]);
    return new Map(
      rows.map(({ document_id, counts }) => [document_id, relevanceOf(counts, terms, average, WHOLE_DOCUMENT).score]),
    );
  }

  /** Returns the average field lengths of all documents, cached together with those of the passages. */
  private averageDocument(ofPassages: FieldLengths): Promise<FieldLengths> {
    const known = this.averages.get(ofPassages);
    if (known) return known;
    const read = this.readAverageDocument();
    this.averages.set(ofPassages, read);
    read.catch(() => this.averages.delete(ofPassages));
    return read;
  }

  private async readAverageDocument(): Promise<FieldLengths> {
    const { title, context, body } = await this.database.longReads
      .selectFrom('knowledge_document_words')
      .select(({ fn }) => [
        fn.avg<number | null>('title_words').as('title'),
        fn.avg<number | null>('context_words').as('context'),
        fn.avg<number | null>('body_words').as('body'),
      ])
      .executeTakeFirstOrThrow();
    return { title: Number(title), context: Number(context), body: Number(body) };
  }

  /** Returns the passages with these ids, in no particular order; ids without a passage are left out. */
  async list(ids: readonly number[]): Promise<PassageOfDocument[]> {
    if (ids.length === 0) return [];
    const [rows, languages] = await Promise.all([
      this.database.longReads
        .selectFrom('knowledge_passages as passage')
        .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
        .select(['passage.id as passage_id', ...COLUMNS])
        .select((passage) => [headingsAt(passage, -1).as('previous'), headingsAt(passage, 1).as('next')])
        .select(['document.id', 'document.title', 'document.tags', 'document.source', 'document.path'])
        .select(['document.version', 'document.created_at', 'document.updated_at'])
        .where('passage.id', 'in', ids)
        .execute(),
      languagesOf(this.database.longReads, KNOWLEDGE_INDEX, ids),
    ]);
    return rows.map((row) => ({
      ...toPassage(row),
      id: row.passage_id,
      documentId: row.id,
      document: toSummary(row),
      neighbours: toNeighbours(row),
      language: languages.get(row.passage_id) ?? 'en',
    }));
  }

  /** Returns the passage at a position of a document; undefined when there is none. */
  async find(documentId: string, position: number): Promise<PlacedPassage | undefined> {
    const row = await this.database
      .selectFrom('knowledge_passages as passage')
      .select(COLUMNS)
      .select((passage) => [headingsAt(passage, -1).as('previous'), headingsAt(passage, 1).as('next')])
      .where('document_id', '=', documentId)
      .where('position', '=', position)
      .executeTakeFirst();
    return row && { passage: toPassage(row), neighbours: toNeighbours(row) };
  }
}

/** The headings of the passage at an offset from another one of its document. */
const headingsAt = (
  passage: ExpressionBuilder<Tables & { passage: KnowledgePassageTable }, 'passage'>,
  after: number,
) =>
  passage
    .selectFrom('knowledge_passages as near')
    .select('near.headings')
    .whereRef('near.document_id', '=', 'passage.document_id')
    .where('near.position', '=', (row) => row('passage.position', '+', after));

function toNeighbours({ previous, next }: Record<'previous' | 'next', string | null>): Neighbours {
  const headings = (json: string | null) => (json === null ? null : (JSON.parse(json) as string[]));
  return { previous: headings(previous), next: headings(next) };
}

const COLUMNS = ['passage.position', 'passage.headings', 'passage.content', 'passage.start', 'passage.lead'] as const;

function toPassage(row: Omit<KnowledgePassageTable, 'id' | 'document_id'>): Placed {
  const { position, headings, content, start, lead } = row;
  return { position, headings: JSON.parse(headings) as string[], content, start, lead };
}
