import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type AddOutcome, addIfRoom, insertIfAbsent } from '../../platform/database/new-row.table.js';
import type { AdministratorTable } from '../../platform/database/access-tables.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';
import { type AccountDetails, ADMIN_ROLES, type AdministratorAccount, type AdminRole } from './administrator.js';

/** Placeholder for the password hash of an account that has no password: the person logs in at a provider. */
export const NO_PASSWORD = 'none';

interface NewPassword {
  passwordHash: string;
  stamp: string;
  at: Date;
}

@Injectable()
export class AdministratorStore {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<AdministratorAccount | undefined> {
    const row = await this.database
      .selectFrom('administrators')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst();
    return row && toAccount(row);
  }

  async list(): Promise<AdministratorAccount[]> {
    return (await this.database.selectFrom('administrators').selectAll().orderBy('name').execute()).map(toAccount);
  }

  /** Adds an account, if fewer than `most` exist. */
  add(name: string, role: AdminRole, password: NewPassword, most: number): Promise<AddOutcome> {
    return addIfRoom(this.database, 'administrators', newAccountRow(name, role, password), most);
  }

  /** Adds an account, regardless of the limit; returns false when the name is taken. */
  addIfAbsent(name: string, role: AdminRole, password: NewPassword): Promise<boolean> {
    return insertIfAbsent(this.database, 'administrators', newAccountRow(name, role, password));
  }

  /** Replaces a password; returns false when the account is gone or its stamp has changed. */
  async setPassword(name: string, oldStamp: string, { passwordHash, stamp, at }: NewPassword): Promise<boolean> {
    return hasEffect(
      this.database
        .updateTable('administrators')
        .set({ password_hash: passwordHash, stamp, password_changed_at: at.toISOString() })
        .where('name', '=', name)
        .where('stamp', '=', oldStamp),
    );
  }

  /**
   * Changes the given details of an account. Returns false when the account is gone or its stamp has changed since it was read.
   * @param stamp a new one ends all sessions of the account
   */
  async setDetails(
    { name, stamp: oldStamp }: Pick<AdministratorAccount, 'name' | 'stamp'>,
    { role, groups, disabled }: Partial<AccountDetails>,
    stamp: string,
  ): Promise<boolean> {
    const change = {
      ...(role !== undefined && { role }),
      ...(groups !== undefined && { groups: JSON.stringify(groups) }),
      ...(disabled !== undefined && { disabled: disabled ? 1 : 0 }),
    };
    return hasEffect(
      this.database
        .updateTable('administrators')
        .set({ ...change, stamp })
        .where('name', '=', name)
        .where('stamp', '=', oldStamp),
    );
  }

  /** Sets the stamp, which ends all sessions of the account; returns false when it does not exist. */
  async setStamp(name: string, stamp: string): Promise<boolean> {
    return hasEffect(this.database.updateTable('administrators').set({ stamp }).where('name', '=', name));
  }

  /** Records a login; returns false when the account is gone, or its stamp has changed since its password was checked. */
  async noteLogin(name: string, stamp: string, at: Date): Promise<boolean> {
    const update = this.database
      .updateTable('administrators')
      .set({ last_login_at: at.toISOString() })
      .where('name', '=', name)
      .where('stamp', '=', stamp);
    return this.database.evenWhenFull(() => hasEffect(update));
  }

  /** Returns whether an account was deleted; its sessions go with it. */
  async delete(name: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('administrators').where('name', '=', name));
  }
}

/** The row of a new account: enabled, and in no group. */
export const newAccountRow = (name: string, role: AdminRole, { passwordHash, stamp, at }: NewPassword) => ({
  name,
  role,
  groups: '[]',
  disabled: 0,
  password_hash: passwordHash,
  stamp,
  created_at: at.toISOString(),
  password_changed_at: at.toISOString(),
  last_login_at: null,
});

function toAccount(row: Selectable<AdministratorTable>): AdministratorAccount {
  return {
    name: row.name,
    role: toRole(row.role),
    groups: JSON.parse(row.groups) as string[],
    disabled: row.disabled === 1,
    hasPassword: row.password_hash !== NO_PASSWORD,
    hasFixedPassword: row.password_hash === '',
    createdAt: new Date(row.created_at),
    passwordChangedAt: new Date(row.password_changed_at),
    lastLoginAt: row.last_login_at === null ? null : new Date(row.last_login_at),
    passwordHash: row.password_hash,
    stamp: row.stamp,
  };
}

/** A role that this version does not know gets the fewest rights. */
export const toRole = (stored: string): AdminRole => ADMIN_ROLES.find((role) => role === stored) ?? 'member';
