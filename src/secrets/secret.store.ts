import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../database/database.js';
import { dialectOf } from '../database/dialect.js';

/** Secrets that the service made for itself, shared by every process on the database. */
@Injectable()
export class SecretStore {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<string | undefined> {
    const row = await this.database.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
    return row?.value;
  }

  /** Whether it was added: not when another process was first. */
  async addIfAbsent(name: string, value: string, at: Date): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.database
      .insertInto('secrets')
      .values({ name, value, created_at: at.toISOString() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Nothing of it stays behind in the file of an embedded database. */
  async delete(name: string): Promise<void> {
    const isEmbedded = dialectOf(this.database) === 'sqlite';
    if (isEmbedded) await sql`pragma secure_delete = on`.execute(this.database);
    await this.database.deleteFrom('secrets').where('name', '=', name).execute();
    if (isEmbedded) await sql`pragma secure_delete = off`.execute(this.database);
  }
}
