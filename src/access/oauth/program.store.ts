import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { isStorable } from '#bounded-json';
import { Database } from '../../platform/database/database.js';
import type { OAuthProgramTable } from '../../platform/database/oauth-tables.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';

/** A program that registered itself, or that an administrator added. */
export interface Program {
  /** The `client_id`. */
  id: string;
  /** RFC 7591, section 2; a secret is stored as its hash. */
  metadata: Readonly<Record<string, unknown>>;
  /** True when an administrator added it. */
  isListed: boolean;
  createdAt: Date;
  /** When somebody last allowed it; null = never. */
  usedAt: Date | null;
}

const MOST_PROGRAMS = 1_000;

@Injectable()
export class ProgramStore {
  constructor(private readonly database: Database) {}

  /** Adds a program. At the limit, it replaces the oldest unused one; `full`: all are in use. */
  add({ id, metadata, isListed, createdAt }: Omit<Program, 'usedAt'>): Promise<'added' | 'taken' | 'full'> {
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, 'oauth_programs');
      const same = await transaction.selectFrom('oauth_programs').select('id').where('id', '=', id).executeTakeFirst();
      if (same) return 'taken';
      const { total } = await transaction
        .selectFrom('oauth_programs')
        .select(({ fn }) => fn.countAll<number | string>().as('total'))
        .executeTakeFirstOrThrow();
      if (Number(total) >= MOST_PROGRAMS) {
        const unused = await transaction
          .selectFrom('oauth_programs')
          .select('id')
          .where('used_at', 'is', null)
          .where('is_listed', '=', 0)
          .orderBy('created_at')
          .executeTakeFirst();
        if (!unused) return 'full';
        await transaction.deleteFrom('oauth_programs').where('id', '=', unused.id).execute();
      }
      const row = { id, metadata: JSON.stringify(metadata), is_listed: isListed ? 1 : 0, used_at: null };
      await transaction
        .insertInto('oauth_programs')
        .values({ ...row, created_at: createdAt.toISOString() })
        .execute();
      return 'added';
    });
  }

  async find(id: string): Promise<Program | undefined> {
    // Anyone may send any text as the id of a program.
    if (!isStorable(id)) return undefined;
    const row = await this.database.selectFrom('oauth_programs').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toProgram(row);
  }

  /** Returns all programs, latest first. */
  async list(): Promise<Program[]> {
    const rows = await this.database
      .selectFrom('oauth_programs')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(toProgram);
  }

  async noteUse(id: string, at: Date): Promise<void> {
    await this.database.updateTable('oauth_programs').set({ used_at: at.toISOString() }).where('id', '=', id).execute();
  }

  /** Deletes a program; returns whether it existed. */
  async delete(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('oauth_programs')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  /** Deletes programs that registered before a time and that nobody has allowed. */
  async deleteUnused(before: Date): Promise<void> {
    await this.database
      .deleteFrom('oauth_programs')
      .where('used_at', 'is', null)
      .where('is_listed', '=', 0)
      .where('created_at', '<', before.toISOString())
      .execute();
  }
}

const toProgram = (row: Selectable<OAuthProgramTable>): Program => ({
  id: row.id,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  isListed: row.is_listed === 1,
  createdAt: new Date(row.created_at),
  usedAt: row.used_at === null ? null : new Date(row.used_at),
});
