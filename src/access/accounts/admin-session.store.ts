import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { AdminSessionTable } from '../../platform/database/access-tables.js';
import type { Tables } from '../../platform/database/tables.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';
import type { AdminRole } from './administrator.js';
import { toRole } from './administrator.store.js';

/** Sessions of one account. One more ends the oldest. */
const MOST_SESSIONS = 100;

export interface NewAdminSession {
  idHash: string;
  id: string;
  administrator: string;
  /** The account's stamp when its password was checked. */
  stamp: string;
  address: string;
  browser: string | null;
  /** The provider at which the person logged in; null = here. */
  provider: string | null;
  createdAt: Date;
  expiresAt: Date;
}

export interface StoredAdminSession extends Omit<NewAdminSession, 'stamp'> {
  role: AdminRole;
}

/** Stores the browser sessions of administrators by the hash of their token. A session with an outdated stamp is invalid. */
@Injectable()
export class AdminSessionStore {
  constructor(private readonly database: Database) {}

  /** Adds a session; returns false when the account is gone or its stamp has changed. */
  create(session: NewAdminSession): Promise<boolean> {
    return this.database.evenWhenFull(() => this.insert(session));
  }

  private async insert({ idHash, stamp, createdAt, expiresAt, ...session }: NewAdminSession): Promise<boolean> {
    const { id, administrator, address, browser, provider } = session;
    const { numInsertedOrUpdatedRows } = await this.database
      .insertInto('admin_sessions')
      .columns([
        'id_hash',
        'id',
        'administrator',
        'stamp',
        'address',
        'browser',
        'provider',
        'created_at',
        'expires_at',
      ])
      .expression((from) =>
        from
          .selectFrom('administrators')
          .select((value) => [
            value.cast<string>(value.val(idHash), 'text').as('id_hash'),
            value.cast<string>(value.val(id), 'text').as('id'),
            'name',
            'stamp',
            value.cast<string>(value.val(address), 'text').as('address'),
            value.cast<string | null>(value.val(browser), 'text').as('browser'),
            value.cast<string | null>(value.val(provider), 'text').as('provider'),
            value.cast<string>(value.val(createdAt.toISOString()), 'text').as('created_at'),
            value.cast<string>(value.val(expiresAt.toISOString()), 'text').as('expires_at'),
          ])
          .where('name', '=', administrator)
          .where('stamp', '=', stamp),
      )
      .executeTakeFirstOrThrow();
    await this.deleteBeyondLimit(administrator);
    return numInsertedOrUpdatedRows === 1n;
  }

  async find(idHashes: readonly string[]): Promise<StoredAdminSession | undefined> {
    const row = await this.valid().where('id_hash', 'in', idHashes).executeTakeFirst();
    return row && toSession(row);
  }

  /** Returns the sessions of an account that have not expired, the latest first. */
  async list(administrator: string, now: Date): Promise<StoredAdminSession[]> {
    const rows = await this.valid()
      .where('administrator', '=', administrator)
      .where('expires_at', '>', now.toISOString())
      .orderBy('admin_sessions.created_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(toSession);
  }

  async extend(idHash: string, expiresAt: Date): Promise<void> {
    const update = this.database
      .updateTable('admin_sessions')
      .set({ expires_at: expiresAt.toISOString() })
      .where('id_hash', '=', idHash);
    await this.database.evenWhenFull(() => update.execute());
  }

  /** Ends the session that has one of the hashes; returns the provider at which its person logged in, if there was one. */
  async delete(idHashes: readonly string[]): Promise<string | null> {
    const ended = this.database.deleteFrom('admin_sessions').where('id_hash', 'in', idHashes).returning('provider');
    return (await ended.executeTakeFirst())?.provider ?? null;
  }

  /** Ends one session of an account; returns false when it has no such session. */
  async deleteOne(administrator: string, id: string): Promise<boolean> {
    return hasEffect(
      this.database.deleteFrom('admin_sessions').where('administrator', '=', administrator).where('id', '=', id),
    );
  }

  /** Deletes sessions that have expired or have an outdated stamp. */
  async deleteEnded(now: Date): Promise<void> {
    await this.database
      .deleteFrom('admin_sessions')
      .where((where) =>
        where.or([
          where('expires_at', '<=', now.toISOString()),
          where.not(
            where.exists(
              where
                .selectFrom('administrators')
                .select('name')
                .whereRef('administrators.name', '=', 'admin_sessions.administrator')
                .whereRef('administrators.stamp', '=', 'admin_sessions.stamp'),
            ),
          ),
        ]),
      )
      .execute();
  }

  private valid(): SelectQueryBuilder<Tables, 'admin_sessions' | 'administrators', SessionRow> {
    return this.database
      .selectFrom('admin_sessions')
      .innerJoin('administrators', (join) =>
        join
          .onRef('administrators.name', '=', 'admin_sessions.administrator')
          .onRef('administrators.stamp', '=', 'admin_sessions.stamp'),
      )
      .select([
        'id_hash',
        'id',
        'administrator',
        'role',
        'address',
        'browser',
        'provider',
        'admin_sessions.created_at',
        'expires_at',
      ]);
  }

  private async deleteBeyondLimit(administrator: string): Promise<void> {
    await this.database
      .deleteFrom('admin_sessions')
      .where('id_hash', 'in', (from) =>
        from
          .selectFrom('admin_sessions')
          .select('id_hash')
          .where('administrator', '=', administrator)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          // SQLite needs a LIMIT for OFFSET.
          .limit(1_000)
          .offset(MOST_SESSIONS),
      )
      .execute();
  }
}

interface SessionRow extends Omit<AdminSessionTable, 'stamp'> {
  role: string;
}

const toSession = (row: SessionRow): StoredAdminSession => ({
  idHash: row.id_hash,
  id: row.id,
  administrator: row.administrator,
  role: toRole(row.role),
  address: row.address,
  browser: row.browser,
  provider: row.provider,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
});
