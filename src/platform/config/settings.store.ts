import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { hasEffect } from '../sql/affected-rows.js';

export interface StoredSetting {
  key: string;
  value: unknown;
  /** ISO 8601; different after each change. */
  updatedAt: string;
}

/** Stores the settings that administrators have changed, as JSON values by key. */
@Injectable()
export class SettingsStore {
  constructor(private readonly database: Database) {}

  async list(): Promise<StoredSetting[]> {
    const rows = await this.database.selectFrom('settings').select(['key', 'value', 'updated_at']).execute();
    return rows.map((row) => ({ key: row.key, value: JSON.parse(row.value) as unknown, updatedAt: row.updated_at }));
  }

  /**
   * Saves a value. Returns false, and saves nothing, when the stored value is not the one that the caller knows.
   * @param known when it was saved; null = not stored; undefined = replace any value
   */
  async save(key: string, value: unknown, at: Date, known?: string | null): Promise<boolean> {
    const change = { value: JSON.stringify(value), updated_at: at.toISOString() };
    if (typeof known === 'string') {
      return hasEffect(
        this.database.updateTable('settings').set(change).where('key', '=', key).where('updated_at', '=', known),
      );
    }
    return hasEffect(
      this.database
        .insertInto('settings')
        .values({ key, ...change })
        .onConflict((conflict) =>
          known === null ? conflict.column('key').doNothing() : conflict.column('key').doUpdateSet(change),
        ),
    );
  }

  /**
   * Deletes a stored value. Returns false, and deletes nothing, when it is not the one that the caller knows.
   * @param known as for `save`
   */
  async delete(key: string, known?: string | null): Promise<boolean> {
    if (known === null) return !(await this.has(key));
    let query = this.database.deleteFrom('settings').where('key', '=', key);
    if (known !== undefined) query = query.where('updated_at', '=', known);
    return (await hasEffect(query)) || known === undefined;
  }

  private async has(key: string): Promise<boolean> {
    const row = await this.database.selectFrom('settings').select('key').where('key', '=', key).executeTakeFirst();
    return row !== undefined;
  }
}
