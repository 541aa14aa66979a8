import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../database/database.js';
import type { SealingKeys } from './sealing-keys.service.js';

interface SealedColumn {
  table: 'workflow_secrets' | 'webhooks' | 'skill_module_states' | 'login_providers';
  column: 'value' | 'secret';
  /** Returns the purpose that the text of a row is sealed for. */
  purposeOf: (name: string) => string;
}

/** The columns that hold sealed texts, in tables whose key is `name`. Settings look after their credentials themselves. */
export const SEALED_COLUMNS = {
  workflowSecrets: { table: 'workflow_secrets', column: 'value', purposeOf: (name) => `workflow secret ${name}` },
  webhooks: { table: 'webhooks', column: 'secret', purposeOf: (name) => `webhook ${name}` },
  loginProviders: { table: 'login_providers', column: 'secret', purposeOf: (name) => `login provider ${name}` },
  moduleStates: {
    table: 'skill_module_states',
    column: 'value',
    purposeOf: (name) => `state of the skill module ${name}`,
  },
} as const satisfies Record<string, SealedColumn>;

/** Seals texts with the current key that were sealed with a previous one. */
@Injectable()
export class SealedColumns {
  private readonly logger = new Logger('Secrets');

  constructor(private readonly database: Database) {}

  /** Call it before previous keys are forgotten. What no key opens stays as it is, and the log names it. */
  async sealAnew(keys: SealingKeys): Promise<void> {
    if (!keys.hasFormer) return;
    for (const column of Object.values(SEALED_COLUMNS)) await this.sealColumnAnew(column, keys);
  }

  private async sealColumnAnew({ table, column, purposeOf }: SealedColumn, keys: SealingKeys): Promise<void> {
    const { rows } = await sql<{ name: string; sealed: string }>`
      select name, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(this.database);
    for (const { name, sealed } of rows) {
      const opened = await keys.open({ sealed }, purposeOf(name));
      if (opened === null) this.logger.warn(`the ${purposeOf(name)} cannot be decrypted: enter it again`);
      if (!opened?.byFormerKey) continue;
      const anew = await keys.seal(opened.text, purposeOf(name));
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${anew.sealed}
        where name = ${name} and ${sql.ref(column)} = ${sealed}`.execute(this.database);
    }
  }
}
