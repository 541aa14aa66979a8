import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import type { PolicyJson } from '#cedar';
import { Database } from '../../platform/database/database.js';
import { type AddOutcome, addIfRoom } from '../../platform/database/new-row.table.js';
import type { Tables } from '../../platform/database/tables.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';
import { MOST_POLICIES, type NewPolicy, type StoredPolicy } from './policy.js';

const COLUMNS = ['name', 'policy', 'compiled', 'enabled', 'created_at', 'updated_at', 'updated_by'] as const;

/** The state of a policy that the caller has read. */
type Known = Pick<StoredPolicy, 'policy' | 'enabled'>;

@Injectable()
export class PolicyStore {
  constructor(private readonly database: Database) {}

  /** Returns all policies in alphabetical order. */
  async list(): Promise<StoredPolicy[]> {
    const rows = await this.database.selectFrom('policies').select(COLUMNS).orderBy('name').execute();
    return rows.map(toPolicy);
  }

  async find(name: string): Promise<StoredPolicy | undefined> {
    const row = await this.database.selectFrom('policies').select(COLUMNS).where('name', '=', name).executeTakeFirst();
    return row && toPolicy(row);
  }

  /** Adds a policy, unless the limit is reached. */
  add(policy: NewPolicy): Promise<AddOutcome> {
    const row = { name: policy.name, ...toRow(policy), created_at: policy.updatedAt.toISOString() };
    return addIfRoom(this.database, 'policies', row, MOST_POLICIES);
  }

  /** Replaces a policy; returns false when it differs from the state that the caller knows. */
  async replace(policy: NewPolicy, known: Known): Promise<boolean> {
    return hasEffect(
      this.database
        .updateTable('policies')
        .set(toRow(policy))
        .where('name', '=', policy.name)
        .where('policy', '=', known.policy)
        .where('enabled', '=', known.enabled ? 1 : 0),
    );
  }

  /** Deletes a policy; returns false when it does not exist or differs from the state that the caller knows. */
  async delete(name: string, known?: Known): Promise<boolean> {
    let query = this.database.deleteFrom('policies').where('name', '=', name);
    if (known) query = query.where('policy', '=', known.policy).where('enabled', '=', known.enabled ? 1 : 0);
    return hasEffect(query);
  }
}

function toRow({ policy, compiled, enabled, updatedAt, updatedBy }: NewPolicy) {
  return {
    policy,
    compiled: JSON.stringify(compiled),
    enabled: enabled ? 1 : 0,
    updated_at: updatedAt.toISOString(),
    updated_by: updatedBy,
  };
}

function toPolicy(row: Selectable<Tables['policies']>): StoredPolicy {
  return {
    name: row.name,
    policy: row.policy,
    compiled: JSON.parse(row.compiled) as PolicyJson,
    enabled: row.enabled === 1,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    updatedBy: row.updated_by,
  };
}
