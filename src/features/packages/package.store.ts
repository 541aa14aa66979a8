import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { formerVersion, keepFormerVersions } from '../../platform/database/former-versions.table.js';
import { hasRoom } from '../../platform/database/new-row.table.js';
import type { Tables } from '../../platform/database/tables.js';
import { inParts } from '../../platform/periodic/in-parts.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';
import type { CheckedPackage, PackageSource } from './files/package.js';
import { indexCurrent } from './package-rows.table.js';
import { deleteOldVersions } from './package-versions.table.js';

/**
 * The outcome of a save. `taken`: another source has the name. `full`: the limit of packages is reached. `outdated`: the save is
 * not based on the current version.
 */
export type SaveOutcome = 'created' | 'changed' | 'unchanged' | 'taken' | 'full' | 'outdated';

export interface PackageChange {
  source: PackageSource;
  /** Who makes the change; null = the folder changed. */
  by: string | null;
  at: Date;
}

interface Save extends PackageChange {
  most: number;
  /** The version that may be replaced; 0 = none; undefined = any. */
  basedOn?: number | undefined;
}

/** Bytes that are written to the embedded database before other work gets its turn: some milliseconds. */
const TURN_BYTES = 500_000;
const DELETED_AT_ONCE = 50;

/** Writes skill packages. Changes of one package are serialised. */
@Injectable()
export class PackageStore {
  constructor(private readonly database: Database) {}

  /** Saves files as the current version of a package. A removed package is restored; an upload also enables it. */
  save(
    { name, frontmatter, digest, files }: CheckedPackage,
    { source, by, at, most, basedOn }: Save,
  ): Promise<SaveOutcome> {
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, `packages:${name}`); // there may be no row yet
      const before = await lock(transaction, name);
      if (before && before.removed_at === null && before.source !== source) return 'taken';
      const present = before && before.removed_at === null ? before.version : 0;
      if (basedOn !== undefined && basedOn !== present) return 'outdated';
      if ((!before || before.removed_at !== null) && !(await hasRoom(transaction, 'skill_packages', most)))
        return 'full';
      const isSame = before && (await digestOfVersion(transaction, name, before.version)) === digest;
      if (isSame && before.removed_at === null) return 'unchanged';
      const version = isSame ? before.version : (await lastVersion(transaction, name)) + 1;
      const current = {
        version,
        source,
        updated_at: at.toISOString(),
        updated_by: by,
        removed_at: null,
        removed_by: null,
        // Keep an administrator's decision about a folder: the folder may only have been missing for a moment.
        ...(source === 'upload' && present === 0 && { enabled: 1 }),
      };
      const { id } = await transaction
        .insertInto('skill_packages')
        .values({ name, enabled: 1, ...current })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(current))
        .returning('id')
        .executeTakeFirstOrThrow();
      if (!isSame) {
        const bytes = files.reduce((sum, { size }) => sum + size, 0);
        await transaction
          .insertInto('skill_package_versions')
          .values({
            ...{ name, version, digest, frontmatter: JSON.stringify(frontmatter), files: files.length, bytes, source },
            ...{ saved_at: at.toISOString(), saved_by: by },
          })
          .execute();
        let written = 0;
        for (const { path, digest: of, size, mimeType, bytes: content } of files) {
          await transaction
            .insertInto('skill_package_files')
            .values({ name, version, path, digest: of, size, mime_type: mimeType, content })
            .execute();
          written += size;
          if (written < TURN_BYTES) continue;
          await nextTurn();
          written = 0;
        }
        await indexCurrent(transaction, id);
        await deleteOldVersions(transaction, name, version);
      }
      return before ? 'changed' : 'created';
    });
  }

  /** Enables or disables a package; returns whether it exists. */
  async setEnabled(name: string, enabled: boolean, { by, at }: Omit<PackageChange, 'source'>): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('skill_packages')
      .set({ enabled: enabled ? 1 : 0, updated_at: at.toISOString(), updated_by: by })
      .where('name', '=', name)
      .where('removed_at', 'is', null)
      .where('enabled', '!=', enabled ? 1 : 0)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return true;
    const there = this.database.selectFrom('skill_packages').where('name', '=', name).where('removed_at', 'is', null);
    return (await there.select('name').executeTakeFirst()) !== undefined;
  }

  /** Makes an earlier version the current one. Returns whether the package and version exist. */
  setCurrent(name: string, version: number, { by, at }: Omit<PackageChange, 'source'>): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      const before = await lock(transaction, name);
      if (!before || before.removed_at !== null || (await digestOfVersion(transaction, name, version)) === undefined)
        return false;
      await transaction
        .updateTable('skill_packages')
        .set({ version, updated_at: at.toISOString(), updated_by: by })
        .where('name', '=', name)
        .execute();
      await indexCurrent(transaction, before.id);
      return true;
    });
  }

  /** Removes a package, optionally only of one source; it can be restored. Returns whether it existed. */
  async remove(
    name: string,
    { source, by, at }: Omit<PackageChange, 'source'> & { source?: PackageSource },
  ): Promise<boolean> {
    let query = this.database
      .updateTable('skill_packages')
      .set({ removed_at: at.toISOString(), removed_by: by })
      .where('name', '=', name)
      .where('removed_at', 'is', null);
    if (source !== undefined) query = query.where('source', '=', source);
    return hasEffect(query);
  }

  /** Restores a removed package, as an upload, because its folder is gone. */
  restore(name: string, { by, at, most }: Omit<Save, 'source' | 'basedOn'>): Promise<'restored' | 'missing' | 'full'> {
    return this.database.transaction().execute(async (transaction) => {
      const before = await lock(transaction, name);
      if (!before || before.removed_at === null) return 'missing';
      if (!(await hasRoom(transaction, 'skill_packages', most))) return 'full';
      await transaction
        .updateTable('skill_packages')
        .set({ removed_at: null, removed_by: null, source: 'upload', updated_at: at.toISOString(), updated_by: by })
        .where('name', '=', name)
        .execute();
      return 'restored';
    });
  }

  /** Permanently deletes packages that were removed before a time. Returns their number. */
  deleteRemovedBefore(time: Date): Promise<number> {
    return inParts(DELETED_AT_ONCE, (limit) => this.deleteSome(time, limit));
  }

  private deleteSome(time: Date, limit: number): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const some = transaction
        .selectFrom('skill_packages')
        .select('name')
        .where('removed_at', '<', time.toISOString())
        .limit(limit);
      // A no-op update that locks the rows: a package that was restored is kept.
      const removed = await transaction
        .updateTable('skill_packages')
        .set((own) => ({ version: own.ref('version') }))
        .where('removed_at', '<', time.toISOString())
        .where('name', 'in', some)
        .returning('name')
        .execute();
      if (removed.length === 0) return 0;
      const names = removed.map(({ name }) => name);
      const versions = await transaction
        .selectFrom('skill_package_versions')
        .select(({ fn }) => ['name as address', fn.max('version').as('version')])
        .where('name', 'in', names)
        .groupBy('name')
        .execute();
      await keepFormerVersions(transaction, 'package', versions);
      await transaction.deleteFrom('skill_packages').where('name', 'in', names).execute();
      return names.length;
    });
  }
}

/** Returns the row of a package, locked until the transaction ends. */
const lock = (transaction: Transaction<Tables>, name: string) =>
  transaction
    .updateTable('skill_packages')
    .set((own) => ({ version: own.ref('version') }))
    .where('name', '=', name)
    .returning(['id', 'version', 'source', 'removed_at'])
    .executeTakeFirst();

async function digestOfVersion(transaction: Transaction<Tables>, name: string, version: number) {
  const row = await transaction
    .selectFrom('skill_package_versions')
    .select('digest')
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.digest;
}

/** Returns the last version number of a package, or of a deleted one of the same name; 0 = none. */
async function lastVersion(transaction: Transaction<Tables>, name: string): Promise<number> {
  const { last } = await transaction
    .selectFrom('skill_package_versions')
    .select(({ fn }) => fn.max('version').as('last'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return last === null ? formerVersion(transaction, 'package', name) : Number(last);
}
