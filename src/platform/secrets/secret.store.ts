import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../database/database.js';
import { insertIfAbsent } from '../database/new-row.table.js';
import { dialectOf } from '../sql/dialect.js';

/** Stores the secrets that the service has generated; all processes on the database share them. */
@Injectable()
export class SecretStore {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<string | undefined> {
    const row = await this.database.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
    return row?.value;
  }

  /** Adds a secret; returns false when another process has already added it. */
  async addIfAbsent(name: string, value: string, at: Date): Promise<boolean> {
    return insertIfAbsent(this.database, 'secrets', { name, value, created_at: at.toISOString() });
  }

  /** Deletes a secret; in an embedded database, also overwrites it in the file. */
  async delete(name: string): Promise<void> {
    const isEmbedded = dialectOf(this.database) === 'sqlite';
    if (isEmbedded) await sql`pragma secure_delete = on`.execute(this.database);
    await this.database.deleteFrom('secrets').where('name', '=', name).execute();
    if (isEmbedded) await sql`pragma secure_delete = off`.execute(this.database);
  }
}
