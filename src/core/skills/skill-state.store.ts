import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ToolLimits } from './tool-limits.js';

/** What an administrator has decided about a skill. */
export interface SkillState extends ToolLimits {
  enabled: boolean;
}

/** What is decided anew; undefined = as it was. */
export type SkillChange = { [Name in keyof SkillState]?: SkillState[Name] | undefined };

/** Reads and writes what administrators have decided about skills, also of skills that are not registered. */
@Injectable()
export class SkillStateStore {
  constructor(private readonly database: Database) {}

  /** Returns all states by the names of their skills. */
  async list(): Promise<Map<string, SkillState>> {
    const rows = await this.database
      .selectFrom('skill_states')
      .select(['name', 'enabled', 'timeout_ms', 'max_result_bytes'])
      .execute();
    return new Map(
      rows.map((row) => [
        row.name,
        { enabled: row.enabled === 1, timeoutMs: row.timeout_ms, maxResultBytes: row.max_result_bytes },
      ]),
    );
  }

  /** Saves a part of the state of a skill; the rest stays as it is. */
  async save(name: string, change: SkillChange, at: Date): Promise<void> {
    const { enabled, timeoutMs, maxResultBytes } = change;
    const columns = {
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
      ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
      ...(maxResultBytes !== undefined && { max_result_bytes: maxResultBytes }),
      updated_at: at.toISOString(),
    };
    await this.database
      .insertInto('skill_states')
      .values({ name, enabled: 1, ...columns })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
      .execute();
  }
}
