import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../platform/database/tables.js';
import { lockUntilCommit } from '../../../platform/sql/dialect.js';

/** The condition that a row of `workflow_versions` has never run: versions that have run are immutable. */
export const HAS_NOT_RUN = sql<boolean>`not exists (select 1 from workflow_runs
  where program = 'workflow' and name = workflow_versions.name and version = workflow_versions.version)`;

/** Lets one transaction at a time save or delete a workflow: they write the workflow and its versions in different orders. */
export const lockWorkflow = (transaction: Transaction<Tables>, name: string): Promise<void> =>
  lockUntilCommit(transaction, `workflows:${name}`);

/** Deletes the versions of a removed workflow that have no run. */
export async function deleteUnusedVersions(transaction: Transaction<Tables>, name: string): Promise<void> {
  await transaction
    .deleteFrom('workflow_versions')
    .where('name', '=', name)
    .where('name', 'not in', transaction.selectFrom('workflows').select('workflows.name'))
    .where(HAS_NOT_RUN)
    .execute();
}
