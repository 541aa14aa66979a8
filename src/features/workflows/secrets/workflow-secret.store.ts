import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { WorkflowSecret } from './workflow-secret.js';

/** Reads and writes the secrets of workflows, sealed. */
@Injectable()
export class WorkflowSecretStore {
  constructor(private readonly database: Database) {}

  /** Returns all secrets without their values, ordered by name. */
  async list(): Promise<WorkflowSecret[]> {
    const rows = await this.database.selectFrom('workflow_secrets').select(['name', 'updated_at']).execute();
    return rows
      .map((row) => ({ name: row.name, updatedAt: new Date(row.updated_at) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async findSealed(name: string): Promise<string | undefined> {
    const row = await this.database
      .selectFrom('workflow_secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value;
  }

  async save({ name, updatedAt }: WorkflowSecret, sealed: string): Promise<void> {
    const change = { value: sealed, updated_at: updatedAt.toISOString() };
    await this.database
      .insertInto('workflow_secrets')
      .values({ name, ...change })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(change))
      .execute();
  }

  /** Returns whether there was such a secret. */
  async delete(name: string): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('workflow_secrets')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}
