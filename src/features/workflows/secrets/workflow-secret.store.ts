import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import { hasRoom } from '../../../platform/database/new-row.table.js';
import type { Tables } from '../../../platform/database/tables.js';
import { hasEffect } from '../../../platform/sql/affected-rows.js';
import { MAX_SECRETS, type SecretLimits, type WorkflowSecret } from './workflow-secret.js';

/** A change of a row. Omitted members stay unchanged. */
interface SecretRowChange extends Partial<SecretLimits> {
  sealed?: string | undefined;
  updatedAt: Date;
}

type Row = Selectable<Tables['workflow_secrets']>;

const SHOWN = ['name', 'hosts', 'skills', 'updated_at'] as const;

/** Reads and writes the secrets of workflows, sealed. */
@Injectable()
export class WorkflowSecretStore {
  constructor(private readonly database: Database) {}

  /** Returns all secrets without their values, ordered by name. */
  async list(): Promise<WorkflowSecret[]> {
    const rows = await this.database.selectFrom('workflow_secrets').select(SHOWN).execute();
    return rows.map(toSecret).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(name: string): Promise<(WorkflowSecret & { sealed: string }) | undefined> {
    const row = await this.database
      .selectFrom('workflow_secrets')
      .select([...SHOWN, 'value'])
      .where('name', '=', name)
      .executeTakeFirst();
    return row && { ...toSecret(row), sealed: row.value };
  }

  /** Adds a secret, or changes one of the same name. Returns false, and adds none, when the limit is reached. */
  save(name: string, { sealed, ...change }: SecretRowChange & { sealed: string }): Promise<boolean> {
    const columns = { ...toColumns(change), value: sealed };
    return this.database.transaction().execute(async (transaction) => {
      const isFull = !(await hasRoom(transaction, 'workflow_secrets', MAX_SECRETS));
      const known = transaction.selectFrom('workflow_secrets').select('name').where('name', '=', name);
      if (isFull && !(await known.executeTakeFirst())) return false;
      await transaction
        .insertInto('workflow_secrets')
        .values({ name, hosts: null, skills: null, ...columns })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
        .execute();
      return true;
    });
  }

  /** Changes a secret except its value. Returns whether it exists. */
  async update(name: string, change: Omit<SecretRowChange, 'sealed'>): Promise<boolean> {
    return hasEffect(this.database.updateTable('workflow_secrets').set(toColumns(change)).where('name', '=', name));
  }

  /** Deletes a secret; returns whether it existed. */
  async delete(name: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('workflow_secrets').where('name', '=', name));
  }
}

const toSecret = ({ name, hosts, skills, updated_at }: Pick<Row, (typeof SHOWN)[number]>): WorkflowSecret => ({
  name,
  hosts: toList(hosts),
  skills: toList(skills),
  updatedAt: new Date(updated_at),
});

const toColumns = ({ hosts, skills, updatedAt }: Omit<SecretRowChange, 'sealed'>) => ({
  ...(hosts !== undefined && { hosts: toText(hosts) }),
  ...(skills !== undefined && { skills: toText(skills) }),
  updated_at: updatedAt.toISOString(),
});

const toList = (text: string | null): string[] | null => (text === null ? null : (JSON.parse(text) as string[]));

const toText = (list: readonly string[] | null): string | null => (list === null ? null : JSON.stringify(list));
