import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { MigrationFailed, SchemaTooNew } from './database.errors.js';
import type { Database } from './database.js';
import { initial } from './migrations/0001-initial.js';
import { feeds } from './migrations/0002-feeds.js';
import { knowledge } from './migrations/0003-knowledge.js';
import { memory } from './migrations/0004-memory.js';
import { knowledgeVectors } from './migrations/0005-knowledge-vectors.js';
import { textHeads } from './migrations/0006-text-heads.js';
import { knowledgeAge } from './migrations/0007-knowledge-age.js';
import { attempts } from './migrations/0008-attempts.js';
import { workflows } from './migrations/0009-workflows.js';
import { policies } from './migrations/0011-policies.js';
import { administrators } from './migrations/0013-administrators.js';
import { clients } from './migrations/0010-clients.js';
import { audit } from './migrations/0012-audit.js';
import { toolLimits } from './migrations/0014-tool-limits.js';
import { streamEnds } from './migrations/0015-stream-ends.js';
import { replicas } from './migrations/0016-replicas.js';
import { textRanking } from './migrations/0017-text-ranking.js';
import { sourcesAndPrograms } from './migrations/0018-sources-and-programs.js';
import { passagePlaces } from './migrations/0019-passage-places.js';
import { memoryVectors } from './migrations/0020-memory-vectors.js';
import { documentVersions } from './migrations/0022-document-versions.js';
import { textLabels } from './migrations/0023-text-labels.js';
import { englishStems } from './migrations/0024-english-stems.js';

/** All migrations, applied in the order of their names. A released one is never edited. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-feeds': feeds,
  '0003-knowledge': knowledge,
  '0004-memory': memory,
  '0005-knowledge-vectors': knowledgeVectors,
  '0006-text-heads': textHeads,
  '0007-knowledge-age': knowledgeAge,
  '0008-attempts': attempts,
  '0009-workflows': workflows,
  '0011-policies': policies,
  '0013-administrators': administrators,
  '0010-clients': clients,
  '0012-audit': audit,
  '0014-tool-limits': toolLimits,
  '0015-stream-ends': streamEnds,
  '0016-replicas': replicas,
  '0017-text-ranking': textRanking,
  '0018-sources-and-programs': sourcesAndPrograms,
  '0019-passage-places': passagePlaces,
  '0020-memory-vectors': memoryVectors,
  '0022-document-versions': documentVersions,
  '0023-text-labels': textLabels,
  '0024-english-stems': englishStems,
};

/**
 * Brings the schema up to date.
 * @throws SchemaTooNew when a newer version of the service has changed it, MigrationFailed
 */
export async function migrate(db: Database): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) throw new SchemaTooNew(unknown);
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } }).migrateToLatest();
  if (error) throw new MigrationFailed(error);
}

/** Returns the names of the migrations that the database has had, in order. */
export async function appliedMigrations(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
