import { Injectable } from '@nestjs/common';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { OAuthGrantTable } from '../../platform/database/oauth-tables.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';

/** What a person has allowed a program. */
export interface Grant {
  id: string;
  /** Name of the account. */
  person: string;
  /** The `client_id` of the program. */
  program: string;
  /** What the program calls itself. */
  name: string;
  /** Where the person was sent back to: the host of the redirect URI, or its scheme where it has no host. */
  host: string;
  /** The host that has shown who the program is, by its metadata document; empty when nothing has. */
  proven: string;
  createdAt: Date;
  usedAt: Date | null;
  expiresAt: Date;
}

export interface NewGrant extends Omit<Grant, 'usedAt'> {
  payload: object;
}

/** All but what the authorization server keeps. */
const COLUMNS = [
  'id',
  'person',
  'program',
  'name',
  'host',
  'proven',
  'created_at',
  'used_at',
  'expires_at',
] as const satisfies readonly (keyof OAuthGrantTable)[];

type GrantRow = Pick<Selectable<OAuthGrantTable>, (typeof COLUMNS)[number]>;

/** Grants without tokens that end at once; more of them end the next time. */
const MOST_DELETED = 500;
/** Of one person; beyond it, the one that was used longest ago ends. */
const MOST_OF_A_PERSON = 100;

export interface GrantsOf {
  person?: string | undefined;
  program?: string | undefined;
  id?: string | undefined;
}

/** Stores grants. Their tokens are useless without them. */
@Injectable()
export class GrantStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds a grant. The same program may have several of a person: it may run on more than one machine. Returns those that ended
   * because there would be too many.
   */
  add({ payload, createdAt, expiresAt, ...grant }: NewGrant): Promise<Grant[]> {
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, 'oauth_grants');
      const rows = await transaction
        .selectFrom('oauth_grants')
        .select(COLUMNS)
        .where('person', '=', grant.person)
        .orderBy((order) => order.fn.coalesce('used_at', 'created_at'), 'desc')
        .orderBy('id')
        .execute();
      const ended = rows.slice(MOST_OF_A_PERSON - 1);
      for (const { id } of ended) await transaction.deleteFrom('oauth_grants').where('id', '=', id).execute();
      const times = { created_at: createdAt.toISOString(), used_at: null, expires_at: expiresAt.toISOString() };
      await transaction
        .insertInto('oauth_grants')
        .values({ ...grant, payload: JSON.stringify(payload), ...times })
        .execute();
      return ended.map(toGrant);
    });
  }

  /** Returns what the authorization server keeps of a grant. */
  async payloadOf(id: string, now: Date): Promise<object | undefined> {
    const row = await this.database
      .selectFrom('oauth_grants')
      .select('payload')
      .where('id', '=', id)
      .where('expires_at', '>', now.toISOString())
      .executeTakeFirst();
    return row && (JSON.parse(row.payload) as object);
  }

  /** Returns the grants in force, the latest first. @param limit how many at most */
  async list({ person, program, id }: GrantsOf, now: Date, limit?: number): Promise<Grant[]> {
    let query = this.database
      .selectFrom('oauth_grants')
      .select(COLUMNS)
      .where('expires_at', '>', now.toISOString())
      .orderBy('created_at', 'desc')
      .orderBy('id');
    if (person !== undefined) query = query.where('person', '=', person);
    if (program !== undefined) query = query.where('program', '=', program);
    if (id !== undefined) query = query.where('id', '=', id);
    if (limit !== undefined) query = query.limit(limit);
    return (await query.execute()).map(toGrant);
  }

  /** Returns which of the grants are in force. */
  async listInForce(ids: readonly string[], now: Date): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.database
      .selectFrom('oauth_grants')
      .select('id')
      .where('id', 'in', ids)
      .where('expires_at', '>', now.toISOString())
      .execute();
    return rows.map(({ id }) => id);
  }

  async noteUse(id: string, at: Date): Promise<void> {
    await this.database.updateTable('oauth_grants').set({ used_at: at.toISOString() }).where('id', '=', id).execute();
  }

  /** Ends grants; returns those that there were. */
  async delete({ person, program, id }: GrantsOf): Promise<Grant[]> {
    let query = this.database.deleteFrom('oauth_grants').returning(COLUMNS);
    if (person !== undefined) query = query.where('person', '=', person);
    if (program !== undefined) query = query.where('program', '=', program);
    if (id !== undefined) query = query.where('id', '=', id);
    return (await query.execute()).map(toGrant);
  }

  /**
   * Deletes the grants that have expired, and those that were made before a time and have no token that is good any more.
   * Returns them.
   */
  async deleteEnded(now: Date, madeBefore: Date): Promise<Grant[]> {
    const expired = await this.database
      .deleteFrom('oauth_grants')
      .where('expires_at', '<=', now.toISOString())
      .returning(COLUMNS)
      .execute();
    const isUnused = sql<boolean>`created_at < ${madeBefore.toISOString()} and not exists (
      select 1 from oauth_artifacts where grant_id = oauth_grants.id and oauth_artifacts.expires_at > ${now.toISOString()})`;
    // All grants are looked at, which is for a thread.
    const found = await this.database.longReads.selectFrom('oauth_grants').select('id').where(isUnused).execute();
    const unused = await this.deleteThese(
      found.map(({ id }) => id),
      isUnused,
    );
    return [...expired, ...unused].map(toGrant);
  }

  private async deleteThese(ids: readonly string[], condition: RawBuilder<boolean>): Promise<GrantRow[]> {
    if (ids.length === 0) return [];
    return this.database
      .deleteFrom('oauth_grants')
      .where('id', 'in', ids.slice(0, MOST_DELETED))
      .where(condition)
      .returning(COLUMNS)
      .execute();
  }
}

const toGrant = (row: GrantRow): Grant => ({
  id: row.id,
  person: row.person,
  program: row.program,
  name: row.name,
  host: row.host,
  proven: row.proven,
  createdAt: new Date(row.created_at),
  usedAt: row.used_at === null ? null : new Date(row.used_at),
  expiresAt: new Date(row.expires_at),
});
