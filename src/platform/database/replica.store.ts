import { Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Database } from './database.js';
import type { Tables } from './tables.js';

/** The live replicas on a PostgreSQL. */
@Injectable()
export class ReplicaStore {
  constructor(private readonly database: Database) {}

  /** Records that a replica is alive now, by the database's clock, which all replicas share. */
  async saveSeen(id: string): Promise<void> {
    await sql`insert into replicas (id, seen_at_ms) values (${id}, ${NOW_MS})
      on conflict (id) do update set seen_at_ms = excluded.seen_at_ms`.execute(this.database);
  }

  /** Returns whether a replica was seen within this many milliseconds. */
  async wasSeenWithin(id: string, ms: number): Promise<boolean> {
    const { rows } = await sql`select id from replicas where id = ${id} and seen_at_ms > ${NOW_MS} - ${ms}`.execute(
      this.database,
    );
    return rows.length > 0;
  }

  async forget(id: string): Promise<void> {
    await this.database.deleteFrom('replicas').where('id', '=', id).execute();
  }

  /** Deletes the replicas not seen for this long. */
  async forgetUnseenFor(ms: number): Promise<void> {
    await sql`delete from replicas where seen_at_ms < ${NOW_MS} - ${ms}`.execute(this.database);
  }
}

/** Returns how many replicas were seen within this many milliseconds. */
export async function countSeenWithin(database: Kysely<Tables>, ms: number): Promise<number> {
  const { rows } = await sql`select id from replicas where seen_at_ms > ${NOW_MS} - ${ms}`.execute(database);
  return rows.length;
}

const NOW_MS = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
