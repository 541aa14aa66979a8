import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { MemoryVersion } from './memory-entry.js';

/** Reads earlier versions of entries; the `MemoryStore` writes them when it supersedes an entry. */
@Injectable()
export class MemoryHistoryStore {
  constructor(private readonly database: Database) {}

  /** Returns the earlier versions of an entry, latest first. */
  async list(entryId: number): Promise<MemoryVersion[]> {
    const rows = await this.database
      .selectFrom('memory_history')
      .select(['version', 'content', 'tags', 'importance', 'client', 'program', 'saved_at'])
      .where('entry_id', '=', entryId)
      .orderBy('version', 'desc')
      .execute();
    return rows.map(({ version, content, tags, importance, client, program, saved_at }) => ({
      version,
      content,
      tags: JSON.parse(tags) as string[],
      importance,
      client,
      program,
      savedAt: new Date(saved_at),
    }));
  }
}
