import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** Stores the settings that administrators have changed, as JSON values by key. */
@Injectable()
export class SettingsStore {
  constructor(private readonly database: Database) {}

  async list(): Promise<{ key: string; value: unknown }[]> {
    const rows = await this.database.selectFrom('settings').select(['key', 'value']).execute();
    return rows.map((row) => ({ key: row.key, value: JSON.parse(row.value) as unknown }));
  }

  async save(key: string, value: unknown, at: Date): Promise<void> {
    const change = { value: JSON.stringify(value), updated_at: at.toISOString() };
    await this.database
      .insertInto('settings')
      .values({ key, ...change })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(change))
      .execute();
  }

  async delete(key: string): Promise<void> {
    await this.database.deleteFrom('settings').where('key', '=', key).execute();
  }
}
