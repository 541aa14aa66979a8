import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { MemoryVersion } from './memory-entry.js';

/** What entries said before; written by the `MemoryStore` when an entry is superseded. */
@Injectable()
export class MemoryHistoryStore {
  constructor(private readonly database: Database) {}

  /** The latest first. */
  async list(entryId: number): Promise<MemoryVersion[]> {
    const rows = await this.database
      .selectFrom('memory_history')
      .select(['version', 'content', 'tags', 'importance', 'client', 'saved_at'])
      .where('entry_id', '=', entryId)
      .orderBy('version', 'desc')
      .execute();
    return rows.map(({ version, content, tags, importance, client, saved_at }) => ({
      version,
      content,
      tags: JSON.parse(tags) as string[],
      importance,
      client,
      savedAt: new Date(saved_at),
    }));
  }
}
