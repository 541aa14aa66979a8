import type { Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** What has versions, and an address at which another one may be made when it was removed. */
export type Versioned = 'document' | 'memory' | 'module settings' | 'package';

export interface FormerVersion {
  address: string;
  version: number;
}

/** Nobody edits what was read longer ago. */
const KEPT_MS = 365 * 86_400_000;

/**
 * Remembers for a year which versions things had that are removed, so that no other thing at the same address has one of them:
 * whoever knows the version of the first must not replace the second.
 */
export async function keepFormerVersions(
  transaction: Transaction<Tables>,
  kind: Versioned,
  removed: readonly FormerVersion[],
  at: Date,
): Promise<void> {
  if (removed.length === 0) return;
  const rows = removed.map(({ address, version }) => ({ kind, address, version, removed_at: at.toISOString() }));
  await transaction
    .insertInto('former_versions')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'address']).doUpdateSet((row) => ({
        version: row.ref('excluded.version'),
        removed_at: row.ref('excluded.removed_at'),
      })),
    )
    .execute();
  const forgotten = new Date(at.getTime() - KEPT_MS).toISOString();
  await transaction.deleteFrom('former_versions').where('removed_at', '<', forgotten).execute();
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
