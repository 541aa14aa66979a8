import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { countRows } from '../../../platform/sql/affected-rows.js';
import { readPage } from '../../../platform/sql/read-page.js';
import { idsWithAll } from '../../../platform/text/text-index.js';
import { parseTextQuery } from '../../../platform/text/text-query.rules.js';
import type { Document } from '../documents/document.js';
import { KNOWLEDGE_INDEX } from '../passages/document-parts.table.js';

/** A condition on documents; without members, all match. */
export interface DocumentMatch {
  /** One of the passages must have all of its words and phrases. */
  query?: string | undefined;
  /** A tag in normal form that the document must have. */
  tag?: string | undefined;
}

export type MatchingDocument = Pick<Document, 'id' | 'title' | 'version'>;

/** Finds all matching documents, whereas a search finds only the best. */
@Injectable()
export class DocumentMatchStore {
  constructor(private readonly database: Database) {}

  async count(match: DocumentMatch): Promise<number> {
    const { query, tag } = match;
    if (query === undefined && tag !== undefined) return this.countTagged(tag);
    return countRows(await this.matching(match));
  }

  /** Returns one page of documents, ordered by id. */
  async listPage({ limit, cursor, ...match }: PageRequest & DocumentMatch): Promise<Page<MatchingDocument>> {
    const documents = await this.matching(match);
    return readPage(documents.select(['id', 'title', 'version']), { limit, cursor }, { by: ['id'] });
  }

  /** PostgreSQL would read all documents to find those with a common tag. */
  private countTagged(tag: string): Promise<number> {
    return countRows(this.database.longReads.selectFrom('knowledge_tags').where('tag', '=', tag));
  }

  private async matching({ query, tag }: DocumentMatch) {
    const { longReads } = this.database;
    let documents = longReads.selectFrom('knowledge_documents');
    if (tag !== undefined) {
      documents = documents.where('id', 'in', (from) =>
        from.selectFrom('knowledge_tags').select('document_id').where('tag', '=', tag),
      );
    }
    if (query !== undefined) {
      const passages = await idsWithAll(longReads, { index: KNOWLEDGE_INDEX, query: parseTextQuery(query) });
      documents = documents.where('id', 'in', (from) =>
        from.selectFrom('knowledge_passages').select('document_id').where('id', 'in', passages),
      );
    }
    return documents;
  }
}
