import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import type { KnowledgePassageTable } from '../../database/text-tables.js';
import { relevanceOf, type WeighedTerm, WHOLE_DOCUMENT } from '../../text/ranking.rules.js';
import { searchTextIndex, type TextMatches } from '../../text/text-index.js';
import type { TextQuery } from '../../text/text-query.rules.js';
import type { FieldLengths } from '../../text/word-counts.rules.js';
import type { DocumentSummary, FoundPassage, Neighbours, Placed } from '../document.js';
import { toSummary } from '../knowledge.store.js';
import { KNOWLEDGE_INDEX } from './document-parts.table.js';

export interface PassageSearch {
  query: TextQuery;
  /** The document must have all of them. */
  tags: readonly string[];
  limit: number;
}

export type PassageOfDocument = FoundPassage & { document: Omit<DocumentSummary, 'characters'> };

/** Searches and reads the passages of all documents. */
@Injectable()
export class PassageStore {
  constructor(private readonly database: Database) {}

  /** Returns the best matching passages, the best first. */
  search({ query, tags, limit }: PassageSearch): Promise<TextMatches> {
    return searchTextIndex(this.database.longReads, {
      index: KNOWLEDGE_INDEX,
      query,
      limit,
      among: tags.length === 0 ? null : withTags(tags),
    });
  }

  /** Returns the document of each passage, by the id of the passage; leaves out passages that no longer exist. */
  async documentsOf(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.longReads
      .selectFrom('knowledge_passages')
      .select(['id', 'document_id'])
      .where('id', 'in', ids)
      .execute();
    return new Map(rows.map(({ id, document_id }) => [id, document_id]));
  }

  /** Returns how well whole documents match the words of a search, by their ids. */
  async relevanceOfDocuments(
    documentIds: readonly string[],
    terms: readonly WeighedTerm[],
  ): Promise<Map<string, number>> {
    if (documentIds.length === 0) return new Map();
    const rows = await this.database.longReads
      .selectFrom('knowledge_document_words')
      .select(['document_id', 'counts'])
      .where('document_id', 'in', documentIds)
      .execute();
    const averages = await this.averageDocument();
    return new Map(
      rows.map(({ document_id, counts }) => [document_id, relevanceOf(counts, terms, averages, WHOLE_DOCUMENT).score]),
    );
  }

  private async averageDocument(): Promise<FieldLengths> {
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
    const rows = await this.database.longReads
      .selectFrom('knowledge_passages as passage')
      .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
      .select(['passage.id as passage_id', ...COLUMNS])
      .select(['document.id', 'document.title', 'document.tags', 'document.source', 'document.path'])
      .select(['document.version', 'document.created_at', 'document.updated_at'])
      .where('passage.id', 'in', ids)
      .execute();
    return rows.map((row) => ({
      ...toPassage(row),
      id: row.passage_id,
      documentId: row.id,
      document: toSummary(row),
    }));
  }

  /** Returns the passage at a position of a document; undefined when there is none. */
  async find(documentId: string, position: number): Promise<Placed | undefined> {
    const row = await this.database
      .selectFrom('knowledge_passages as passage')
      .select(COLUMNS)
      .where('document_id', '=', documentId)
      .where('position', '=', position)
      .executeTakeFirst();
    return row && toPassage(row);
  }

  /** Returns the headings of the passages before and after a position of a document; null = there is none. */
  async neighboursOf({ documentId, position }: Pick<FoundPassage, 'documentId' | 'position'>): Promise<Neighbours> {
    const rows = await this.database
      .selectFrom('knowledge_passages')
      .select(['position', 'headings'])
      .where('document_id', '=', documentId)
      .where('position', 'in', [position - 1, position + 1])
      .execute();
    const headingsAt = (at: number): string[] | null => {
      const row = rows.find((one) => one.position === at);
      return row ? (JSON.parse(row.headings) as string[]) : null;
    };
    return { previous: headingsAt(position - 1), next: headingsAt(position + 1) };
  }
}

const COLUMNS = ['passage.position', 'passage.headings', 'passage.content', 'passage.start', 'passage.lead'] as const;

function toPassage(row: Omit<KnowledgePassageTable, 'id' | 'document_id'>): Placed {
  const { position, headings, content, start, lead } = row;
  return { position, headings: JSON.parse(headings) as string[], content, start, lead };
}

function withTags(tags: readonly string[]) {
  return sql<{ id: number }>`select passage.id from knowledge_passages as passage where passage.document_id in (
    select document_id from knowledge_tags where tag in (${sql.join(tags)})
    group by document_id having count(*) = ${tags.length})`;
}
