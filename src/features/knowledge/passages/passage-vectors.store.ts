import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import type { Collection, ItemFilter, ItemText } from '../../semantic/collection.js';
import { itemsWhere } from '../../semantic/item-filter.table.js';
import { embeddedText } from '../../semantic/models/embedding.rules.js';

/** Provides the texts of passages for embedding, and the filter of passages for a search. */
@Injectable()
export class PassageVectors implements Collection {
  readonly name = 'knowledge';
  readonly changedBy = 'knowledge.changed';
  readonly tables = {
    items: 'knowledge_passages',
    vectors: 'knowledge_vectors',
    item: 'passage_id',
    revision: null,
  };

  constructor(private readonly database: Database) {}

  async listTexts(ids: readonly number[]): Promise<ItemText[]> {
    if (ids.length === 0) return [];
    const rows = await this.database
      .selectFrom('knowledge_passages as passage')
      .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
      .select(['passage.id', 'document.title', 'passage.headings', 'passage.content'])
      .where('passage.id', 'in', ids)
      .execute();
    return rows.map(({ id, title, headings, content }) => ({
      id,
      revision: null,
      text: embeddedText([title, ...(JSON.parse(headings) as string[])], content),
    }));
  }

  /** Selects the passages of documents that have all the tags. */
  withTags(tags: readonly string[]): ItemFilter {
    const tagged = sql`document_id in (
      select document_id from knowledge_tags where tag in (${sql.join(tags)})
      group by document_id having count(*) = ${tags.length})`;
    return itemsWhere(this.database, this, tagged);
  }
}
