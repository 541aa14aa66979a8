import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ToolLimits } from './tool-limits.js';

/** An administrator's decisions about a skill. */
export interface SkillState extends ToolLimits {
  enabled: boolean;
}

/** Changed decisions; undefined = unchanged. */
export type SkillChange = { [Name in keyof SkillState]?: SkillState[Name] | undefined };

/** Stores administrators' decisions about skills, including skills that are not registered. */
@Injectable()
export class SkillStateStore {
  constructor(private readonly database: Database) {}

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

  /** Saves a part of a skill's state; the rest stays unchanged. */
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
