import { type Transaction } from 'kysely';
import { dialectOf, lockedUnlessTaken } from '../sql/dialect.js';
import type { Tables } from './tables.js';

/** What has versions, and an address at which another one may be made when it was removed. */
export type Versioned = 'document' | 'memory' | 'module settings' | 'package';

export interface FormerVersion {
  address: string;
  version: number;
}

/** Of how many things versions are remembered: whoever removes more has nobody in mind who still edits the first of them. */
const MOST_KEPT = 100_000;

/**
 * Remembers which versions the things had that were removed last, so that no other thing at the same address has one of them: whoever
 * knows the version of the first must not replace the second.
 */
export async function keepFormerVersions(
  transaction: Transaction<Tables>,
  kind: Versioned,
  removed: readonly FormerVersion[],
): Promise<void> {
  if (removed.length === 0) return;
  const kept = await transaction
    .insertInto('former_versions')
    .values(removed.map(({ address, version }) => ({ kind, address, version })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'address']).doUpdateSet((row) => ({
        seq: row.ref('excluded.seq'),
        version: row.ref('excluded.version'),
      })),
    )
    .returning('seq')
    .execute();
  const forgotten = Math.max(...kept.map(({ seq }) => Number(seq))) - MOST_KEPT;
  await transaction
    .deleteFrom('former_versions')
    .where('seq', 'in', (from) =>
      from
        .selectFrom('former_versions')
        .select('seq')
        .where('seq', '<=', forgotten)
        .modifyEnd(lockedUnlessTaken(dialectOf(transaction))),
    )
    .execute();
}

/** Returns the last version of what was removed from each of some addresses; leaves out those that had nothing. */
export async function formerVersions(
  transaction: Transaction<Tables>,
  kind: Versioned,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (addresses.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('former_versions')
    .select(['address', 'version'])
    .where('kind', '=', kind)
    .where('address', 'in', addresses)
    .execute();
  return new Map(rows.map(({ address, version }) => [address, version]));
}

/** Returns the last version of what was removed from an address; 0 = nothing was. */
export async function formerVersion(
  transaction: Transaction<Tables>,
  kind: Versioned,
  address: string,
): Promise<number> {
  return (await formerVersions(transaction, kind, [address])).get(address) ?? 0;
}
