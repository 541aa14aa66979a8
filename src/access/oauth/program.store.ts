import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { isStorable } from '#bounded-json';
import { Database } from '../../platform/database/database.js';
import type { OAuthProgramTable } from '../../platform/database/oauth-tables.js';
import { type Page, type PageRequest, toPage } from '../../platform/paging/page-cursor.js';
import { countRows, hasEffect } from '../../platform/sql/affected-rows.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';
import { createdBefore } from '../../platform/sql/read-page.js';

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

export interface ProgramsRequest extends PageRequest {
  /** A part of the name of the program, of its `client_id` or of a redirect URI. */
  q?: string | undefined;
}

const MOST_PROGRAMS = 1_000;
/** Programs per query: the metadata of one may have 50 KB. */
const READ_AT_ONCE = 50;

@Injectable()
export class ProgramStore {
  constructor(private readonly database: Database) {}

  /** Adds a program. At the limit, it replaces the oldest unused one; `full`: all are in use. */
  add({ id, metadata, isListed, createdAt }: Omit<Program, 'usedAt'>): Promise<'added' | 'taken' | 'full'> {
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, 'oauth_programs');
      const same = await transaction.selectFrom('oauth_programs').select('id').where('id', '=', id).executeTakeFirst();
      if (same) return 'taken';
      if ((await countRows(transaction.selectFrom('oauth_programs'))) >= MOST_PROGRAMS) {
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

  /** Returns one page of the programs, latest first. */
  async listPage({ q = '', limit, cursor }: ProgramsRequest): Promise<Page<Program>> {
    const found: Program[] = [];
    const wanted = q.toLowerCase();
    let after = cursor;
    do {
      const page = await this.readPage({ limit: READ_AT_ONCE, cursor: after });
      found.push(...page.items.filter((program) => textsOf(program).some((text) => text.includes(wanted))));
      after = page.nextCursor ?? undefined;
    } while (after !== undefined && found.length <= limit);
    return toPage(found, limit, sortKeyOf);
  }

  private async readPage({ limit, cursor }: PageRequest): Promise<Page<Program>> {
    let query = this.database
      .selectFrom('oauth_programs')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit + 1);
    if (cursor !== undefined) query = query.where(createdBefore(cursor));
    return toPage((await query.execute()).map(toProgram), limit, sortKeyOf);
  }

  async noteUse(id: string, at: Date): Promise<void> {
    await this.database.updateTable('oauth_programs').set({ used_at: at.toISOString() }).where('id', '=', id).execute();
  }

  /** Deletes a program; returns whether it existed. */
  async delete(id: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('oauth_programs').where('id', '=', id));
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

const sortKeyOf = ({ createdAt, id }: Program) => [createdAt.toISOString(), id];

/** The texts that are searched, in lower case. */
const textsOf = ({ id, metadata }: Program): string[] =>
  [id, metadata['client_name'], metadata['redirect_uris']]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? [text.toLowerCase()] : []));

const toProgram = (row: Selectable<OAuthProgramTable>): Program => ({
  id: row.id,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  isListed: row.is_listed === 1,
  createdAt: new Date(row.created_at),
  usedAt: row.used_at === null ? null : new Date(row.used_at),
});
