import { Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { OAuthGrantTable } from '../../platform/database/oauth-tables.js';
import type { Tables } from '../../platform/database/tables.js';
import { type Page, type PageRequest, toPage } from '../../platform/paging/page-cursor.js';
import { containsInLowerCase, dialectOf, lockUntilCommit } from '../../platform/sql/dialect.js';
import { createdBefore } from '../../platform/sql/read-page.js';

/** A permission that a person has given to a program. */
export interface Grant {
  id: string;
  /** Name of the account. */
  person: string;
  /** The `client_id` of the program. */
  program: string;
  /** The name that the program gives itself. */
  name: string;
  /** The target of the redirect: the host of the redirect URI, or its scheme if it has no host. */
  host: string;
  /** The host that vouches for the program by its metadata document; empty = none. */
  proven: string;
  createdAt: Date;
  usedAt: Date | null;
  expiresAt: Date;
}

export interface NewGrant extends Omit<Grant, 'usedAt'> {
  payload: object;
}

/** All columns except the payload of the authorization server. */
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

/** Grants without tokens that are ended per pass. */
const MOST_DELETED = 500;
/** Grants of one person; beyond the limit, the least recently used one ends. */
const MOST_OF_A_PERSON = 100;

export interface GrantsOf {
  person?: string | undefined;
  program?: string | undefined;
  id?: string | undefined;
}

export interface GrantsRequest extends PageRequest, Omit<GrantsOf, 'id'> {
  /** A part of the name of the program, of the person or of the host. */
  q?: string | undefined;
}

const SEARCHED = ['name', 'person', 'host'] as const satisfies readonly (keyof OAuthGrantTable)[];

/** Stores grants. Their tokens are useless without them. */
@Injectable()
export class GrantStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds a grant. A program may have several grants of one person, because it may run on several machines. Returns the grants
   * that ended because of the limit.
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

  async payloadOf(id: string, now: Date): Promise<object | undefined> {
    const row = await this.database
      .selectFrom('oauth_grants')
      .select('payload')
      .where('id', '=', id)
      .where('expires_at', '>', now.toISOString())
      .executeTakeFirst();
    return row && (JSON.parse(row.payload) as object);
  }

  /** Returns the grants in force, latest first. */
  async list(of: GrantsOf, now: Date): Promise<Grant[]> {
    return (await this.inForce(this.database, of, now).execute()).map(toGrant);
  }

  /** Returns one page of the grants in force, latest first. */
  async listPage({ q = '', limit, cursor, ...of }: GrantsRequest, now: Date): Promise<Page<Grant>> {
    // A search may scan all grants, so it runs in a thread.
    let query = this.inForce(q === '' ? this.database : this.database.longReads, of, now).limit(limit + 1);
    if (q !== '') {
      const found = SEARCHED.map((column) => containsInLowerCase(dialectOf(this.database), column, q));
      query = query.where((where) => where.or(found));
    }
    if (cursor !== undefined) query = query.where(createdBefore(cursor));
    const grants = (await query.execute()).map(toGrant);
    return toPage(grants, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  }

  private inForce(database: Kysely<Tables>, { person, program, id }: GrantsOf, now: Date) {
    let query = database
      .selectFrom('oauth_grants')
      .select(COLUMNS)
      .where('expires_at', '>', now.toISOString())
      .orderBy('created_at', 'desc')
      .orderBy('id');
    if (person !== undefined) query = query.where('person', '=', person);
    if (program !== undefined) query = query.where('program', '=', program);
    if (id !== undefined) query = query.where('id', '=', id);
    return query;
  }

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

  /** Ends grants; returns those that existed. */
  async delete({ person, program, id }: GrantsOf): Promise<Grant[]> {
    let query = this.database.deleteFrom('oauth_grants').returning(COLUMNS);
    if (person !== undefined) query = query.where('person', '=', person);
    if (program !== undefined) query = query.where('program', '=', program);
    if (id !== undefined) query = query.where('id', '=', id);
    return (await query.execute()).map(toGrant);
  }

  /** Deletes the grants that have expired, and those that were created before `madeBefore` and have no valid token. Returns them. */
  async deleteEnded(now: Date, madeBefore: Date): Promise<Grant[]> {
    const expired = await this.database
      .deleteFrom('oauth_grants')
      .where('expires_at', '<=', now.toISOString())
      .returning(COLUMNS)
      .execute();
    const isUnused = sql<boolean>`created_at < ${madeBefore.toISOString()} and not exists (
      select 1 from oauth_artifacts where grant_id = oauth_grants.id and oauth_artifacts.expires_at > ${now.toISOString()})`;
    // This scans all grants, so it runs in a thread.
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
