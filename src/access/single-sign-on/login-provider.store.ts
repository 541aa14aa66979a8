import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import type { LoginProviderTable } from '../../platform/database/access-tables.js';
import { Database } from '../../platform/database/database.js';
import { type AddOutcome, addIfRoom } from '../../platform/database/new-row.table.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';
import { toRole } from '../accounts/administrator.store.js';
import { type GroupRule, MAX_PROVIDERS, type ProviderDetails, type StoredProvider } from './login-provider.js';

/** Stores the providers at which people log in, with sealed secrets. */
@Injectable()
export class LoginProviderStore {
  constructor(private readonly database: Database) {}

  /** Returns all providers, ordered by name. */
  async list(): Promise<StoredProvider[]> {
    const rows = await this.database.selectFrom('login_providers').selectAll().execute();
    return rows.map(toProvider).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(name: string): Promise<StoredProvider | undefined> {
    const row = await this.database
      .selectFrom('login_providers')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst();
    return row && toProvider(row);
  }

  /** Adds a provider, unless the limit is reached. */
  add(name: string, details: ProviderDetails, secret: string | null, at: Date): Promise<AddOutcome> {
    const row = { name, ...toColumns(details), secret, created_at: at.toISOString() };
    return addIfRoom(this.database, 'login_providers', row, MAX_PROVIDERS);
  }

  /**
   * Writes only the changed columns. Returns false, and changes nothing, when the provider is gone, or its issuer or secret has
   * changed: a secret may only go to one issuer.
   */
  async update(former: StoredProvider, change: Partial<ProviderDetails>, secret: string | null): Promise<boolean> {
    const { name, issuer, sealedSecret } = former;
    return hasEffect(
      this.database
        .updateTable('login_providers')
        .set({ ...changedColumns(former, change), secret })
        .where('name', '=', name)
        .where('issuer', '=', issuer)
        .where('secret', sealedSecret === null ? 'is' : '=', sealedSecret),
    );
  }

  /** Deletes a provider; returns whether it existed. */
  async delete(name: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('login_providers').where('name', '=', name));
  }
}

const toProvider = (row: Selectable<LoginProviderTable>): StoredProvider => ({
  name: row.name,
  title: row.title,
  issuer: row.issuer,
  clientId: row.client_id,
  scopes: JSON.parse(row.scopes) as string[],
  personClaim: row.person_claim,
  groupsClaim: row.groups_claim,
  rules: JSON.parse(row.rules) as GroupRule[],
  makesAccounts: row.makes_accounts === 1,
  defaultRole: toRole(row.default_role),
  enabled: row.enabled === 1,
  hasSecret: row.secret !== null,
  createdAt: new Date(row.created_at),
  sealedSecret: row.secret,
});

const toColumns = (details: ProviderDetails) => ({
  title: details.title,
  issuer: details.issuer,
  client_id: details.clientId,
  scopes: JSON.stringify(details.scopes),
  person_claim: details.personClaim,
  groups_claim: details.groupsClaim,
  rules: JSON.stringify(details.rules),
  makes_accounts: details.makesAccounts ? 1 : 0,
  default_role: details.defaultRole,
  enabled: details.enabled ? 1 : 0,
});

function changedColumns(former: ProviderDetails, change: Partial<ProviderDetails>) {
  const before: Record<string, unknown> = toColumns(former);
  const after = Object.entries(toColumns({ ...former, ...change }));
  return Object.fromEntries(after.filter(([column, value]) => value !== before[column])) as Partial<
    ReturnType<typeof toColumns>
  >;
}
