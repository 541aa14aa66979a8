import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { dialectOf, textType } from '../../sql/dialect.js';
import { createTextIndex } from '../../text/text-index.js';
import { accessTables } from './initial/access-tables.js';
import { auditTables } from './initial/audit-tables.js';
import { COLUMN_TYPES } from './initial/column-types.js';
import { feedTables } from './initial/feed-tables.js';
import { llmTables } from './initial/llm-tables.js';
import { mcpTables } from './initial/mcp-tables.js';
import { moduleTables } from './initial/module-tables.js';
import { oauthTables } from './initial/oauth-tables.js';
import { packageTables } from './initial/package-tables.js';
import { textTables } from './initial/text-tables.js';
import { workflowTables } from './initial/workflow-tables.js';

/** The default policy: every client may do everything. */
const PERMIT_ALL = 'permit(principal, action, resource);';
const PERMIT_ALL_JSON = JSON.stringify({
  effect: 'permit',
  principal: { op: 'All' },
  action: { op: 'All' },
  resource: { op: 'All' },
  conditions: [],
});

/** The tables of the first release. */
export const initial: Migration = {
  async up(db: Kysely<never>): Promise<void> {
    const dialect = dialectOf(db);
    const types = COLUMN_TYPES[dialect];
    const statements = [
      ...mcpTables(types),
      ...accessTables(),
      ...auditTables(types),
      ...feedTables(),
      ...textTables(types),
      ...workflowTables(types),
      ...packageTables(types),
      ...moduleTables(),
      ...llmTables(),
      ...oauthTables(),
    ];
    for (const statement of statements) {
      await sql.raw(statement.replaceAll(/\btext\b/g, textType(dialect))).execute(db);
    }
    await createTextIndex(db, 'knowledge_index', 'knowledge_passages');
    await createTextIndex(db, 'memory_index', 'memory_entries');
    await createTextIndex(db, 'skill_package_index', 'skill_packages');
    const now = new Date().toISOString();
    await sql`insert into policies values
      ('permit-all', ${PERMIT_ALL}, ${PERMIT_ALL_JSON}, 1, ${now}, ${now}, '')`.execute(db);
  },
};
