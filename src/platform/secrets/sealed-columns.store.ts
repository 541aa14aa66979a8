import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../database/database.js';
import type { SealingKeys } from './sealing-keys.service.js';

interface SealedColumn {
  table: 'workflow_secrets' | 'webhooks' | 'skill_module_states' | 'login_providers';
  column: 'value' | 'secret';
  /** Name of the texts in the log, and the remedy for those that no key opens. */
  texts: string;
  remedy: string;
  /** Returns the purpose for which a row's text is sealed. */
  purposeOf: (name: string) => string;
}

/** The columns with sealed texts, in tables whose key is `name`. Settings handle their credentials themselves. */
export const SEALED_COLUMNS = {
  workflowSecrets: {
    table: 'workflow_secrets',
    column: 'value',
    texts: 'workflow secrets',
    remedy: 'enter them again',
    purposeOf: (name) => `workflow secret ${name}`,
  },
  webhooks: {
    table: 'webhooks',
    column: 'secret',
    texts: 'secrets of the webhooks',
    remedy: 'rotate them',
    purposeOf: (name) => `webhook ${name}`,
  },
  loginProviders: {
    table: 'login_providers',
    column: 'secret',
    texts: 'secrets of the login providers',
    remedy: 'enter them again',
    purposeOf: (name) => `login provider ${name}`,
  },
  moduleStates: {
    table: 'skill_module_states',
    column: 'value',
    texts: 'states of the skill modules',
    remedy: 'let the modules begin anew',
    purposeOf: (name) => `state of the skill module ${name}`,
  },
} as const satisfies Record<string, SealedColumn>;

const MOST_NAMED = 10;

/** Re-seals texts with the current key that were sealed with a previous one. */
@Injectable()
export class SealedColumns {
  private readonly logger = new Logger('Secrets');

  constructor(private readonly database: Database) {}

  /** Call it at start, before previous keys are deleted. Texts that no key opens stay unchanged, and are logged. */
  async reseal(keys: SealingKeys): Promise<void> {
    for (const column of Object.values(SEALED_COLUMNS)) await this.resealColumn(column, keys);
  }

  private async resealColumn(sealedColumn: SealedColumn, keys: SealingKeys): Promise<void> {
    const { table, column, purposeOf } = sealedColumn;
    const { rows } = await sql<{ name: string; sealed: string }>`
      select name, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by name`.execute(this.database);
    const lost: string[] = [];
    for (const { name, sealed } of rows) {
      const opened = await keys.open({ sealed }, purposeOf(name));
      if (opened === null) lost.push(name);
      if (!opened?.byFormerKey) continue;
      const resealed = await keys.seal(opened.text, purposeOf(name));
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${resealed.sealed}
        where name = ${name} and ${sql.ref(column)} = ${sealed}`.execute(this.database);
    }
    if (lost.length > 0) this.warnOf(sealedColumn, lost);
  }

  private warnOf({ texts, remedy }: SealedColumn, names: readonly string[]): void {
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    this.logger.warn(
      `no key opens the ${texts} ${names.slice(0, MOST_NAMED).join(', ')}${more}: start with the SECRETS_KEY or the ` +
        `secrets.key that they were encrypted with, or ${remedy}`,
    );
  }
}
