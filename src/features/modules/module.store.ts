import { Injectable } from '@nestjs/common';
import type { ModuleFiles } from '#skill-host';
import type { Selectable, Transaction } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { SkillModuleVersionTable } from '../../platform/database/module-tables.js';
import { formerVersion, keepFormerVersions } from '../../platform/database/former-versions.table.js';
import { hasRoom } from '../../platform/database/new-row.table.js';
import type { Tables } from '../../platform/database/tables.js';
import { inParts } from '../../platform/periodic/in-parts.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';
import {
  type CheckedModule,
  type DeclaredSkill,
  type GivenSettings,
  LARGEST_VERSION,
  MOST_VERSIONS,
  type ModuleSource,
  type ModuleVersion,
  type SkillModule,
} from './declared/module.js';

/** The outcome of a save. `taken`: another source has the name. `full`: the limit of modules is reached. */
export type SaveOutcome = 'created' | 'changed' | 'unchanged' | 'taken' | 'full';

interface Change {
  /** Who makes the change; null = the file changed. */
  by: string | null;
  at: Date;
}

/** The code that an administrator has seen. Version numbers restart when a module is removed. */
export type ApprovedCode = Pick<ModuleVersion, 'version' | 'digest'>;

/** A module that has a state: another one of the same name was created at another time. */
export type StateOwner = Pick<SkillModule, 'name' | 'createdAt'>;

/** The code of a version. */
export interface ModuleText {
  files: ModuleFiles;
  /** The code without types. */
  javascript: ModuleFiles;
}

const DELETED_AT_ONCE = 50;

const FACTS = ['name', 'version', 'digest', 'declaration', 'saved_at', 'saved_by'] as const;

/** Stores skill modules, their versions, and their states between calls. */
@Injectable()
export class ModuleStore {
  constructor(private readonly database: Database) {}

  /** Returns all modules in alphabetical order. */
  async list(): Promise<SkillModule[]> {
    const rows = await this.database
      .selectFrom('skill_modules')
      .leftJoin('skill_module_settings as settings', 'settings.name', 'skill_modules.name')
      .selectAll('skill_modules')
      .select(['settings.given', 'settings.version as settings_version'])
      .where('removed_at', 'is', null)
      .orderBy('skill_modules.name')
      .execute();
    const versions = await this.database
      .selectFrom('skill_module_versions')
      .innerJoin('skill_modules', 'skill_modules.name', 'skill_module_versions.name')
      .select(FACTS.map((column) => `skill_module_versions.${column}` as const))
      .where((where) =>
        where.or([
          where('skill_module_versions.version', '=', where.ref('skill_modules.version')),
          where('skill_module_versions.version', '=', where.ref('skill_modules.approved')),
        ]),
      )
      .execute();
    const found = new Map(versions.map((row) => [`${row.name} ${row.version}`, toVersion(row)]));
    return rows.flatMap((row) => {
      const newest = found.get(`${row.name} ${row.version}`);
      if (!newest) return []; // it was replaced between the two queries; its change will be notified
      return {
        ...{ name: row.name, file: row.file, source: row.source as ModuleSource, newest, problem: row.problem },
        approved: found.get(`${row.name} ${String(row.approved)}`) ?? null,
        enabled: row.enabled === 1,
        given: toGiven(row.given, row.settings_version),
        createdAt: new Date(row.created_at),
        updatedAt: new Date(row.updated_at),
        updatedBy: row.updated_by,
      };
    });
  }

  /** Saves code as the newest version of a module; a module whose file was gone gets its previous state. */
  save(module: CheckedModule, source: ModuleSource, { by, at }: Change, most: number): Promise<SaveOutcome> {
    const { name, file, digest, files, javascript, skills } = module;
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, `modules:${name}`); // there may be no row yet
      const found = await lock(transaction, name);
      const isThere = found !== undefined && found.removed_at === null;
      if (isThere && found.source !== source) return 'taken';
      if (!isThere && !(await hasRoom(transaction, 'skill_modules', most))) return 'full';
      const before = found?.source === source ? found : undefined;
      if (found && !before) await deleteModules(transaction, [name]);
      const isSame = before !== undefined && (await digestOf(transaction, name, before.version)) === digest;
      if (isSame && isThere) return 'unchanged';
      const changed = { file, updated_at: at.toISOString(), updated_by: by, removed_at: null };
      if (isSame) {
        await transaction.updateTable('skill_modules').set(changed).where('name', '=', name).execute();
        return 'changed';
      }
      const version = (before?.version ?? 0) + 1;
      // The service disabled the old code; this is new code.
      const current = { ...changed, source, version, problem: null };
      const isEnabled = before === undefined || before.problem !== null || before.enabled === 1;
      await transaction
        .insertInto('skill_modules')
        .values({ name, approved: null, ...current, enabled: 1, created_at: at.toISOString() })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ ...current, enabled: isEnabled ? 1 : 0 }))
        .execute();
      await transaction
        .insertInto('skill_module_versions')
        .values({
          ...{ name, version, digest, declaration: JSON.stringify(skills) },
          ...{ saved_at: at.toISOString(), saved_by: by },
          files: JSON.stringify(files),
          javascript: JSON.stringify(javascript),
        })
        .execute();
      await transaction
        .deleteFrom('skill_module_versions')
        .where('name', '=', name)
        .where('version', '<=', version - MOST_VERSIONS)
        .where('version', '!=', before?.approved ?? 0)
        .execute();
      return before ? 'changed' : 'created';
    });
  }

  /** Approves a version for clients. Returns false when the newest one has another number or code. */
  async approve(name: string, { version, digest }: ApprovedCode, { by, at }: Change): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      const found = await lock(transaction, name);
      if (found?.removed_at !== null || found.version !== version) return false;
      if ((await digestOf(transaction, name, version)) !== digest) return false;
      await transaction
        .updateTable('skill_modules')
        .set({ approved: version, updated_at: at.toISOString(), updated_by: by })
        .where('name', '=', name)
        .execute();
      return true;
    });
  }

  /** Enables or disables a module; returns whether it exists. @param problem why the service disables it */
  async setEnabled(
    name: string,
    enabled: boolean,
    { by, at }: Change,
    problem: string | null = null,
  ): Promise<boolean> {
    return hasEffect(
      this.database
        .updateTable('skill_modules')
        .set({ enabled: enabled ? 1 : 0, problem, updated_at: at.toISOString(), updated_by: by })
        .where('name', '=', name)
        .where('removed_at', 'is', null),
    );
  }

  /** Removes a module with all its data. Returns whether it existed. */
  remove(name: string): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      if ((await lock(transaction, name))?.removed_at !== null) return false;
      await deleteModules(transaction, [name]);
      return true;
    });
  }

  /** Removes a module whose file is gone; it is restored when the file comes back. Returns whether it existed. */
  async retire(name: string, at: Date): Promise<boolean> {
    return hasEffect(
      this.database
        .updateTable('skill_modules')
        .set({ removed_at: at.toISOString() })
        .where('name', '=', name)
        .where('source', '=', 'folder')
        .where('removed_at', 'is', null),
    );
  }

  /** Deletes modules that were retired before a time. Returns their number. */
  deleteRemovedBefore(time: Date): Promise<number> {
    return inParts(DELETED_AT_ONCE, (limit) => this.deleteSome(time, limit));
  }

  private deleteSome(time: Date, limit: number): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const some = transaction
        .selectFrom('skill_modules')
        .select('name')
        .where('removed_at', '<', time.toISOString())
        .limit(limit);
      // A no-op update that locks the rows: a module whose file is back is kept.
      const removed = await transaction
        .updateTable('skill_modules')
        .set((own) => ({ version: own.ref('version') }))
        .where('removed_at', '<', time.toISOString())
        .where('name', 'in', some)
        .returning('name')
        .execute();
      const names = removed.map(({ name }) => name);
      if (names.length > 0) await deleteModules(transaction, names);
      return names.length;
    });
  }

  /** Returns the kept versions, last saved first. */
  async listVersions(name: string): Promise<ModuleVersion[]> {
    const rows = await this.versionsOf(name).select(FACTS).orderBy('version', 'desc').execute();
    return rows.map(toVersion);
  }

  /** Returns the code of a version; undefined when it is no longer kept. */
  async textOf(name: string, version: number): Promise<ModuleText | undefined> {
    if (Math.abs(version) > LARGEST_VERSION) return undefined;
    const row = await this.versionsOf(name)
      .select(['files', 'javascript'])
      .where('version', '=', version)
      .executeTakeFirst();
    return row && { files: filesIn(row.files), javascript: filesIn(row.javascript) };
  }

  /** Returns the sealed state of a module; undefined = none. */
  async readState({ name, createdAt }: StateOwner): Promise<string | undefined> {
    const row = await this.database
      .selectFrom('skill_module_states')
      .innerJoin('skill_modules', 'skill_modules.name', 'skill_module_states.name')
      .select('value')
      .where('skill_modules.name', '=', name)
      .where('created_at', '=', createdAt.toISOString())
      .executeTakeFirst();
    return row?.value;
  }

  /** Stores the sealed state of a module. Returns whether the module exists. */
  writeState({ name, createdAt }: StateOwner, value: string, at: Date): Promise<boolean> {
    const row = { value, updated_at: at.toISOString() };
    return this.database.transaction().execute(async (transaction) => {
      if ((await lock(transaction, name))?.created_at !== createdAt.toISOString()) return false;
      await transaction
        .insertInto('skill_module_states')
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute();
      return true;
    });
  }

  /**
   * Replaces the values that administrators have set.
   * @param basedOn the version that the change replaces; undefined = any
   */
  giveSettings(
    name: string,
    values: GivenSettings['values'],
    basedOn: number | undefined,
    { by, at }: Change & { by: string },
  ): Promise<'saved' | 'missing' | 'outdated'> {
    return this.database.transaction().execute(async (transaction) => {
      if ((await lock(transaction, name))?.removed_at !== null) return 'missing';
      const known = transaction.selectFrom('skill_module_settings').select('version').where('name', '=', name);
      const version = (await known.executeTakeFirst())?.version;
      if (basedOn !== undefined && basedOn !== (version ?? 0)) return 'outdated';
      const last = version ?? (await formerVersion(transaction, 'module settings', name));
      const row = {
        ...{ version: last + 1, given: JSON.stringify(values) },
        ...{ updated_at: at.toISOString(), updated_by: by },
      };
      await transaction
        .insertInto('skill_module_settings')
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute();
      return 'saved';
    });
  }

  private versionsOf(name: string) {
    return this.database
      .selectFrom('skill_module_versions')
      .where('name', '=', name)
      .where((where) =>
        where.exists(
          where
            .selectFrom('skill_modules')
            .select('skill_modules.name')
            .whereRef('skill_modules.name', '=', 'skill_module_versions.name')
            .where('removed_at', 'is', null),
        ),
      );
  }
}

const filesIn = (json: string): ModuleFiles => JSON.parse(json) as ModuleFiles;

const toGiven = (given: string | null, version: number | null): GivenSettings => ({
  values: JSON.parse(given ?? '{}') as GivenSettings['values'],
  version: version ?? 0,
});

const toVersion = (row: Pick<Selectable<SkillModuleVersionTable>, (typeof FACTS)[number]>): ModuleVersion => ({
  version: row.version,
  digest: row.digest,
  skills: JSON.parse(row.declaration) as DeclaredSkill[],
  savedAt: new Date(row.saved_at),
  savedBy: row.saved_by,
});

/** Returns the row of a module, locked until the transaction ends. */
const lock = (transaction: Transaction<Tables>, name: string) =>
  transaction
    .updateTable('skill_modules')
    .set((own) => ({ version: own.ref('version') }))
    .where('name', '=', name)
    .returning(['version', 'source', 'approved', 'enabled', 'problem', 'created_at', 'removed_at'])
    .executeTakeFirst();

/** Deletes modules with all their data; their rows must be locked. */
async function deleteModules(transaction: Transaction<Tables>, names: readonly string[]): Promise<void> {
  const settings = await transaction
    .selectFrom('skill_module_settings')
    .select(['name as address', 'version'])
    .where('name', 'in', names)
    .execute();
  await keepFormerVersions(transaction, 'module settings', settings);
  await transaction.deleteFrom('skill_modules').where('name', 'in', names).execute();
}

async function digestOf(transaction: Transaction<Tables>, name: string, version: number) {
  const row = await transaction
    .selectFrom('skill_module_versions')
    .select('digest')
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.digest;
}
