import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { Collection, ItemText } from '../semantic/collection.js';
import { itemsWhere } from '../semantic/item-filter.table.js';
import { embeddedText } from '../semantic/models/embedding.rules.js';
import { listCurrentTexts } from './package-rows.table.js';

/** Provides the texts of packages for embedding, and the filter of packages for a search. */
@Injectable()
export class PackageVectors implements Collection {
  readonly name = 'packages';
  readonly changedBy = 'packages.changed';
  readonly tables = {
    items: 'skill_packages',
    vectors: 'skill_package_vectors',
    item: 'package_id',
    revision: 'version',
  };
  /** Selects the packages that clients get. */
  readonly enabled;

  constructor(private readonly database: Database) {
    this.enabled = itemsWhere(database, this, sql`removed_at is null and enabled = 1`);
  }

  async listTexts(ids: readonly number[]): Promise<ItemText[]> {
    const texts = await listCurrentTexts(this.database, ids);
    return texts.map(({ id, name, version, description, tags, body }) => ({
      id,
      revision: version,
      text: embeddedText([name.replaceAll('-', ' ')], [description, tags.join(', '), body].join('\n\n')),
    }));
  }
}
