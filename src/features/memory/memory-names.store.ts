import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { dialectOf, startsWith } from '../../platform/sql/dialect.js';
import { isAlive } from './memory-expiry.table.js';
import type { NamespaceSize } from './memory-entry.js';

export interface NameQuery {
  prefix: string;
  limit: number;
}

export interface KeyQuery extends NameQuery {
  namespace?: string | undefined; // undefined = all namespaces
}

/** Lists the namespaces and keys of entries; leaves out entries that have expired. */
@Injectable()
export class MemoryNameStore {
  constructor(private readonly database: Database) {}

  async listNamespaces({ prefix, limit }: NameQuery, now: Date): Promise<string[]> {
    const rows = await this.alive(now)
      .select('namespace')
      .distinct()
      .where(startsWith(dialectOf(this.database), 'namespace', prefix))
      .orderBy('namespace')
      .limit(limit)
      .execute();
    return rows.map(({ namespace }) => namespace);
  }

  async listKeys({ prefix, namespace, limit }: KeyQuery, now: Date): Promise<string[]> {
    let query = this.alive(now)
      .select('key')
      .distinct()
      .where(startsWith(dialectOf(this.database), 'key', prefix))
      .orderBy('key')
      .limit(limit);
    if (namespace !== undefined) query = query.where('namespace', '=', namespace);
    return (await query.execute()).map(({ key }) => key);
  }

  /** Returns the number of entries of each namespace, in no particular order. */
  async listNamespaceSizes(now: Date): Promise<NamespaceSize[]> {
    const rows = await this.alive(now)
      .select(({ fn }) => ['namespace', fn.countAll<number | string>().as('entries')])
      .groupBy('namespace')
      .execute();
    return rows.map(({ namespace, entries }) => ({ namespace, entries: Number(entries) }));
  }

  private alive(now: Date) {
    return this.database.longReads.selectFrom('memory_entries').where(isAlive(now));
  }
}
