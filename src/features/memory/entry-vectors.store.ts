import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { Collection, ItemFilter, ItemText } from '../semantic/collection.js';
import { itemsWhere } from '../semantic/item-filter.table.js';
import { embeddedText } from '../semantic/models/embedding.rules.js';
import { isAlive } from './memory-expiry.table.js';
import { type EntrySearch, hasTag } from './memory.store.js';

/** Provides the texts of entries for embedding, and the filter of entries for a search. */
@Injectable()
export class EntryVectors implements Collection {
  readonly name = 'memory';
  readonly changedBy = 'memory.changed';
  readonly tables = {
    items: 'memory_entries',
    vectors: 'memory_vectors',
    item: 'entry_id',
    revision: 'version',
  };

  constructor(private readonly database: Database) {}

  async listTexts(ids: readonly number[]): Promise<ItemText[]> {
    if (ids.length === 0) return [];
    const rows = await this.database
      .selectFrom('memory_entries')
      .select(['id', 'version', 'key', 'tags', 'content'])
      .where('id', 'in', ids)
      .execute();
    return rows.map(({ id, version, key, tags, content }) => ({
      id,
      revision: version,
      // People refer to an entry by the words of its key.
      text: embeddedText([key.replaceAll(/[._-]+/g, ' '), ...(JSON.parse(tags) as string[])], content),
    }));
  }

  /** Selects unexpired entries that have all the tags, of one namespace or of all. */
  alive({ namespace, tags }: Pick<EntrySearch, 'namespace' | 'tags'>, now: Date): ItemFilter {
    const conditions = [
      isAlive(now),
      ...(namespace === null ? [] : [sql`namespace = ${namespace}`]),
      ...tags.map(hasTag),
    ];
    return itemsWhere(this.database, this, sql.join(conditions, sql` and `));
  }
}
