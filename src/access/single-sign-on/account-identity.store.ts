import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AccountDetails } from '../accounts/administrator.js';
import { newAccountRow, NO_PASSWORD } from '../accounts/administrator.store.js';
import { type AddOutcome, hasRoom, insertIfAbsent } from '../../platform/database/new-row.table.js';
import { Database } from '../../platform/database/database.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';

/** A person at a provider: `iss` and `sub` of ID tokens. */
export interface Identity {
  issuer: string;
  subject: string;
}

export interface AccountIdentity extends Identity {
  id: string;
  createdAt: Date;
}

export interface NewLoginAccount extends Pick<AccountDetails, 'role' | 'groups'> {
  name: string;
  stamp: string;
  at: Date;
}

/** Stores the links between accounts and provider identities. */
@Injectable()
export class AccountIdentityStore {
  constructor(private readonly database: Database) {}

  async findAccount({ issuer, subject }: Identity): Promise<string | undefined> {
    const row = await this.database
      .selectFrom('account_identities')
      .select('account')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.account;
  }

  /** Returns the identities that are linked to an account, oldest link first. */
  async list(account: string): Promise<AccountIdentity[]> {
    const rows = await this.database
      .selectFrom('account_identities')
      .select(['id', 'issuer', 'subject', 'created_at'])
      .where('account', '=', account)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: new Date(created_at) }));
  }

  /** Links an existing account to an identity; returns false when another account is linked to that identity. */
  async link(identity: Identity, account: string, at: Date): Promise<boolean> {
    await insertIfAbsent(this.database, 'account_identities', newRow(identity, account, at));
    return (await this.findAccount(identity)) === account;
  }

  /** Removes a link; returns whether it existed. */
  async unlink(account: string, id: string): Promise<boolean> {
    return hasEffect(
      this.database.deleteFrom('account_identities').where('account', '=', account).where('id', '=', id),
    );
  }

  /** Adds an account without a password for an identity. If the identity has been linked in the meantime, adds nothing. */
  async addAccount(identity: Identity, account: NewLoginAccount, most: number): Promise<AddOutcome> {
    const password = { passwordHash: NO_PASSWORD, stamp: account.stamp, at: account.at };
    return this.database.transaction().execute(async (transaction) => {
      if (!(await hasRoom(transaction, 'administrators', most))) return 'full';
      const row = { ...newAccountRow(account.name, account.role, password), groups: JSON.stringify(account.groups) };
      if (!(await insertIfAbsent(transaction, 'administrators', row))) return 'taken';
      const link = newRow(identity, account.name, account.at);
      const isLinked = await insertIfAbsent(transaction, 'account_identities', link);
      // Two first logins of the same person ran concurrently.
      if (!isLinked) await transaction.deleteFrom('administrators').where('name', '=', account.name).execute();
      return 'added';
    });
  }

  /** Records the time of the claims that an account follows; returns false when it already follows later ones. */
  async noteClaims(identity: Identity, at: Date): Promise<boolean> {
    return (await noteClaims(this.database, identity, at)) !== undefined;
  }

  /**
   * Sets the groups of the account of an identity, unless it already follows later claims.
   * @param at time of the claims with these groups
   * @returns whether the groups changed
   */
  async followGroups(identity: Identity, groups: readonly string[], at: Date): Promise<boolean> {
    // In one transaction: claims whose time is recorded without their groups would never be followed.
    return this.database.transaction().execute(async (transaction) => {
      const account = await noteClaims(transaction, identity, at);
      if (account === undefined) return false;
      return hasEffect(
        transaction
          .updateTable('administrators')
          .set({ groups: JSON.stringify(groups) })
          .where('name', '=', account)
          .where('groups', '!=', JSON.stringify(groups)),
      );
    });
  }

  /**
   * Marks a login attempt as used; returns false when it was used before.
   * @param until when the attempt expires and the mark is deleted
   */
  async use(state: string, until: Date, now: Date): Promise<boolean> {
    await this.database.deleteFrom('login_uses').where('expires_at', '<=', now.toISOString()).execute();
    return insertIfAbsent(this.database, 'login_uses', { state, expires_at: until.toISOString() });
  }
}

/** Returns the account that follows these claims; undefined when it already follows later ones. */
async function noteClaims(
  database: Pick<Database, 'updateTable'>,
  { issuer, subject }: Identity,
  at: Date,
): Promise<string | undefined> {
  const row = await database
    .updateTable('account_identities')
    .set({ claims_at: at.toISOString() })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where((is) => is.or([is('claims_at', 'is', null), is('claims_at', '<', at.toISOString())]))
    .returning('account')
    .executeTakeFirst();
  return row?.account;
}

const newRow = ({ issuer, subject }: Identity, account: string, at: Date) => ({
  id: randomBytes(9).toString('base64url'),
  issuer,
  subject,
  account,
  created_at: at.toISOString(),
  claims_at: null,
});
