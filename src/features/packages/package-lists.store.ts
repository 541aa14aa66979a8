import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { lockUnindexed, searchTextIndex } from '../../platform/text/text-index.js';
import type { TextMatch } from '../../platform/text/text-search.js';
import type { TextQuery } from '../../platform/text/text-query.rules.js';
import {
  type Frontmatter,
  type ListedFile,
  MOST_VERSIONS,
  type PackageSource,
  type PackageVersion,
  type SkillPackage,
} from './files/package.js';
import { indexCurrent, PACKAGE_INDEX, toVersion, VERSION_COLUMNS } from './package-rows.table.js';

export interface RemovedPackage {
  name: string;
  version: number;
  source: PackageSource;
  removedAt: Date;
  removedBy: string | null; // null = its folder is gone
}

export interface StoredFile {
  version: number;
  path: string;
  /** In bytes. */
  size: number;
}

/** More are not listed; removed packages are permanently deleted after some time. */
const MOST_REMOVED = 500;

/** Reads skill packages, their versions and files, and searches them. */
@Injectable()
export class PackageLists {
  constructor(private readonly database: Database) {}

  /** Returns a fingerprint of each package that is not removed, by name. */
  async states(): Promise<Map<string, string>> {
    const rows = await this.database
      .selectFrom('skill_packages')
      .select(['name', 'version', 'enabled', 'source', 'updated_at'])
      .where('removed_at', 'is', null)
      .execute();
    return new Map(
      rows.map(({ name, version, enabled, source, updated_at }) => [
        name,
        [version, enabled, source, updated_at].join(' '),
      ]),
    );
  }

  /** Returns packages with their current versions; leaves out missing and removed ones. */
  async listCurrent(names: readonly string[]): Promise<SkillPackage[]> {
    if (names.length === 0) return [];
    const rows = await this.database
      .selectFrom('skill_packages')
      .innerJoin('skill_package_versions', (join) =>
        join
          .onRef('skill_package_versions.name', '=', 'skill_packages.name')
          .onRef('skill_package_versions.version', '=', 'skill_packages.version'),
      )
      .select(['skill_packages.name', 'skill_packages.version', 'skill_packages.enabled', 'skill_packages.source'])
      .select(['skill_packages.updated_at', 'skill_packages.updated_by'])
      .select(['skill_package_versions.digest', 'skill_package_versions.frontmatter'])
      .where('skill_packages.removed_at', 'is', null)
      .where('skill_packages.name', 'in', names)
      .execute();
    const packages: SkillPackage[] = [];
    for (const { name, version, enabled, source, digest, frontmatter, ...row } of rows) {
      packages.push({
        ...{ name, version, digest, enabled: enabled === 1, source: source as PackageSource },
        updatedAt: new Date(row.updated_at),
        updatedBy: row.updated_by,
        frontmatter: JSON.parse(frontmatter) as Frontmatter,
        files: await this.listFiles(name, version),
      });
    }
    return packages;
  }

  /** Returns the files of a version ordered by path. */
  async listFiles(name: string, version: number): Promise<ListedFile[]> {
    if (version > MOST_VERSIONS) return [];
    const rows = await this.database
      .selectFrom('skill_package_files')
      .select(['path', 'digest', 'size', 'mime_type'])
      .where('name', '=', name)
      .where('version', '=', version)
      .execute();
    return rows
      .map(({ mime_type, ...row }) => ({ ...row, mimeType: mime_type }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Finds files of any kept version of a package; returns them by digest. */
  async findFiles(name: string, digests: readonly string[]): Promise<Map<string, StoredFile>> {
    if (digests.length === 0) return new Map();
    const rows = await this.database
      .selectFrom('skill_package_files')
      .select(['digest', 'version', 'path', 'size'])
      .where('name', '=', name)
      .where('digest', 'in', digests)
      .execute();
    return new Map(rows.map(({ digest, ...file }) => [digest, file]));
  }

  async readFile(name: string, version: number, path: string): Promise<Uint8Array | undefined> {
    if (version > MOST_VERSIONS) return undefined;
    const row = await this.database
      .selectFrom('skill_package_files')
      .select('content')
      .where('name', '=', name)
      .where('version', '=', version)
      .where('path', '=', path)
      .executeTakeFirst();
    return row?.content;
  }

  /** Returns the versions of a package, even if removed, last saved first. */
  async listVersions(name: string): Promise<PackageVersion[]> {
    const rows = await this.database
      .selectFrom('skill_package_versions')
      .select(VERSION_COLUMNS)
      .where('name', '=', name)
      .orderBy('version', 'desc')
      .execute();
    return rows.map(toVersion);
  }

  /** Returns the packages that can be restored, last removed first. */
  async listRemoved(): Promise<RemovedPackage[]> {
    const rows = await this.database
      .selectFrom('skill_packages')
      .select(['name', 'version', 'source', 'removed_at', 'removed_by'])
      .where('removed_at', 'is not', null)
      .orderBy('removed_at', 'desc')
      .orderBy('name')
      .limit(MOST_REMOVED)
      .execute();
    return rows.map(({ name, version, source, removed_at, removed_by }) => ({
      ...{ name, version, source: source as PackageSource },
      removedAt: new Date(removed_at ?? 0),
      removedBy: removed_by,
    }));
  }

  /** Finds the enabled packages that match the words, best first. */
  async search(query: TextQuery, limit: number, signal?: AbortSignal): Promise<TextMatch[]> {
    const { matches } = await searchTextIndex(this.database.longReads, {
      ...{ index: PACKAGE_INDEX, query, limit, labels: [], signal },
      except: sql`select id from skill_packages where removed_at is not null or enabled = 0`,
    });
    return matches;
  }

  /** Returns the names of packages, keyed by id. */
  async listNames(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database
      .selectFrom('skill_packages')
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Indexes at most `limit` packages that are not in the text index yet; returns their number. */
  indexMissing(limit: number): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const ids = await lockUnindexed(transaction, { index: PACKAGE_INDEX, table: 'skill_packages', limit });
      if (ids.length === 0) return 0;
      for (const id of ids) await indexCurrent(transaction, id);
      return ids.length;
    });
  }
}
