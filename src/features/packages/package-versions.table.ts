import type { Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.js';

/** Limits of the kept earlier versions of one package. */
const KEPT_VERSIONS = 20;
const KEPT_BYTES = 64 * 1024 * 1024;

/** Deletes the oldest versions of a package beyond the limits; never the current one. */
export async function deleteOldVersions(
  transaction: Transaction<Tables>,
  name: string,
  current: number,
): Promise<void> {
  const versions = await transaction
    .selectFrom('skill_package_versions')
    .select(['version', 'bytes'])
    .where('name', '=', name)
    .where('version', '!=', current)
    .orderBy('version', 'desc')
    .execute();
  let bytes = 0;
  const old = versions.filter((one, index) => {
    bytes += one.bytes;
    return index >= KEPT_VERSIONS || bytes > KEPT_BYTES;
  });
  if (old.length === 0) return;
  await transaction
    .deleteFrom('skill_package_versions')
    .where('name', '=', name)
    .where(
      'version',
      'in',
      old.map(({ version }) => version),
    )
    .execute();
}
