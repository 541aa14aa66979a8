import { type Transaction } from 'kysely';
import { dialectOf, lockedUnlessTaken } from '../sql/dialect.js';
import type { Tables } from './tables.js';

/** Versioned things with an address that can be reused after their removal. */
export type Versioned = 'document' | 'memory' | 'module settings' | 'package';

export interface FormerVersion {
  address: string;
  version: number;
}

/** Limit for stored versions: after so many removals, nobody is likely to be still editing the first of them. */
const MOST_KEPT = 100_000;

/**
 * Stores the last versions of removed things, so that a new thing at the same address gets higher ones: a client that knows a
 * version of the old thing must not overwrite the new one.
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

/** Returns the last versions of things removed from these addresses; omits addresses without any. */
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

/** Returns the last version of the thing removed from an address; 0 = none was. */
export async function formerVersion(
  transaction: Transaction<Tables>,
  kind: Versioned,
  address: string,
): Promise<number> {
  return (await formerVersions(transaction, kind, [address])).get(address) ?? 0;
}
