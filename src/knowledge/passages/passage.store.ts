import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { searchTextIndex } from '../../text/text-index.js';
import type { TextQuery } from '../../text/text-query.rules.js';
import type { TextMatch } from '../../text/text-search.js';
import type { DocumentSummary, FoundPassage } from '../document.js';
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

  search({ query, tags, limit }: PassageSearch): Promise<TextMatch[]> {
    return searchTextIndex(this.database, {
      index: KNOWLEDGE_INDEX,
      query,
      limit,
      among: tags.length === 0 ? null : withTags(tags),
    });
  }

  /** Returns the passages with these ids, in no particular order; ids without a passage are left out. */
  async list(ids: readonly number[]): Promise<PassageOfDocument[]> {
    if (ids.length === 0) return [];
    const rows = await this.database
      .selectFrom('knowledge_passages as passage')
      .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
      .select(['passage.id as passage_id', 'passage.headings', 'passage.content'])
      .select(['document.id', 'document.title', 'document.tags', 'document.source', 'document.path'])
      .select(['document.created_at', 'document.updated_at'])
      .where('passage.id', 'in', ids)
      .execute();
    return rows.map((row) => ({
      id: row.passage_id,
      documentId: row.id,
      headings: JSON.parse(row.headings) as string[],
      content: row.content,
      document: toSummary(row),
    }));
  }
}

function withTags(tags: readonly string[]) {
  return sql<{ id: number }>`select passage.id from knowledge_passages as passage where passage.document_id in (
    select document_id from knowledge_tags where tag in (${sql.join(tags)})
    group by document_id having count(*) = ${tags.length})`;
}
