import type { Transaction } from 'kysely';
import type { Tables } from '../../../platform/database/tables.js';
import { HAS_NOT_RUN } from '../runs/unused-versions.table.js';
import type { WorkflowVersion } from './workflow.js';

/** Returns the stored version with the same number; `isCurrent` is null when its workflow has another current version. */
export const versionBefore = (transaction: Transaction<Tables>, { name, version }: WorkflowVersion) =>
  transaction
    .selectFrom('workflow_versions')
    .leftJoin('workflows', (join) =>
      join
        .onRef('workflows.name', '=', 'workflow_versions.name')
        .onRef('workflows.version', '=', 'workflow_versions.version'),
    )
    .select(['workflow_versions.document', 'workflow_versions.source', 'workflows.name as isCurrent'])
    .where('workflow_versions.name', '=', name)
    .where('workflow_versions.version', '=', version)
    .executeTakeFirst();

/**
 * Returns the time for saving a version: later than all others of its workflow, even if a clock was ahead. This is how replicas
 * notice a new version.
 */
async function timeFor(transaction: Transaction<Tables>, { name, createdAt }: WorkflowVersion): Promise<Date> {
  const { newest } = await transaction
    .selectFrom('workflow_versions')
    .select(({ fn }) => fn.max<string | null>('created_at').as('newest'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return newest !== null && newest > createdAt.toISOString() ? new Date(Date.parse(newest) + 1) : createdAt;
}

/** Writes a version unless it has run. Returns whether it was written. */
export async function writeVersion(transaction: Transaction<Tables>, version: WorkflowVersion): Promise<boolean> {
  const { name, document, source, author } = version;
  const createdAt = (await timeFor(transaction, version)).toISOString();
  const content = { document, source, author, created_at: createdAt };
  const written = await transaction
    .insertInto('workflow_versions')
    .values({ name, version: version.version, ...content })
    .onConflict((conflict) => conflict.columns(['name', 'version']).doUpdateSet(content).where(HAS_NOT_RUN))
    .returning('name')
    .executeTakeFirst();
  return written !== undefined;
}

/** Adds the workflow of a version if it does not exist, and optionally makes the version current. */
export async function writeCurrent(
  transaction: Transaction<Tables>,
  { name, version, createdAt }: WorkflowVersion,
  { makeCurrent, isSame, enabled }: { makeCurrent: boolean; isSame: boolean; enabled: 0 | 1 },
): Promise<void> {
  const current = { version, updated_at: createdAt.toISOString() };
  const insert = transaction.insertInto('workflows').values({ name, enabled, ...current });
  if (!makeCurrent) {
    await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
    return;
  }
  await insert
    .onConflict((conflict) => {
      const update = conflict.column('name').doUpdateSet(current);
      // An unchanged workflow keeps its time.
      return isSame ? update.where('workflows.version', '!=', version) : update;
    })
    .execute();
}
