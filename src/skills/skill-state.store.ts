import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** Reads and writes which skills an administrator has enabled or disabled, also of skills that are not registered. */
@Injectable()
export class SkillStateStore {
  constructor(private readonly database: Database) {}

  async listDisabled(): Promise<string[]> {
    const rows = await this.database.selectFrom('skill_states').select('name').where('enabled', '=', 0).execute();
    return rows.map((row) => row.name);
  }

  async save(name: string, enabled: boolean, at: Date): Promise<void> {
    const change = { enabled: enabled ? 1 : 0, updated_at: at.toISOString() };
    await this.database
      .insertInto('skill_states')
      .values({ name, ...change })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(change))
      .execute();
  }
}
