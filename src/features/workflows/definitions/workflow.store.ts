import { Injectable } from '@nestjs/common';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import type { WorkflowVersionTable } from '../../../platform/database/workflow-tables.js';
import { mapPage, type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { countRows, hasEffect } from '../../../platform/sql/affected-rows.js';
import { readPage } from '../../../platform/sql/read-page.js';
import { deleteUnusedVersions, lockWorkflow } from '../runs/unused-versions.table.js';
import { versionBefore, writeCurrent, writeVersion } from './version-writes.table.js';
import {
  type ProposalOutcome,
  revisionOf,
  type SaveOutcome,
  type Workflow,
  type WorkflowSource,
  type WorkflowVersion,
} from './workflow.js';

const VERSION_COLUMNS = ['name', 'version', 'document', 'source', 'author', 'created_at'] as const;

export type VersionEntry = Omit<WorkflowVersion, 'document'>;

export interface WorkflowEntry {
  name: string;
  enabled: boolean;
  /** True when an assistant has proposed it, or a version of it, since the last decision of an administrator. */
  isProposed: boolean;
}

/** The state of a workflow, for detecting changes. */
export interface WorkflowState {
  name: string;
  enabled: boolean;
  /** Differs after each change. */
  state: string;
}

/** Reads and writes workflows and their versions. */
@Injectable()
export class WorkflowStore {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<Workflow | undefined> {
    const row = await current(this.database).where('workflows.name', '=', name).executeTakeFirst();
    return row && toWorkflow(row);
  }

  /** Finds a version; also one of a removed workflow, if it has run. */
  async findVersion(name: string, version: string): Promise<WorkflowVersion | undefined> {
    const row = await this.database
      .selectFrom('workflow_versions')
      .select(VERSION_COLUMNS)
      .where('name', '=', name)
      .where('version', '=', version)
      .executeTakeFirst();
    return row && toVersion(row);
  }

  /** Returns one page of workflows in alphabetical order, of those whose name contains `q`. */
  async listPage({ q = '', ...page }: PageRequest & { q?: string | undefined }): Promise<Page<Workflow>> {
    let query = current(this.database);
    if (q !== '')
      query = query.where(
        sql`replace(lower(workflows.name), ${q.toLowerCase()}, '')`,
        '<>',
        sql`lower(workflows.name)`,
      );
    return mapPage(await readPage(query, page, { by: ['workflows.name'] }), toWorkflow);
  }

  /** Returns those of these workflows that are enabled. */
  async listEnabled(names: string[]): Promise<Workflow[]> {
    const rows = await current(this.database.longReads)
      .where('workflows.name', 'in', names)
      .where('workflows.enabled', '=', 1)
      .execute();
    return rows.map(toWorkflow);
  }

  /** Returns every workflow without its text, in alphabetical order. */
  async listEntries(): Promise<WorkflowEntry[]> {
    const proposals = this.database
      .selectFrom('workflow_versions')
      .select(({ fn }) => ['name', fn.max('created_at').as('proposedAt')])
      .where('source', '=', sql.lit('assistant')) // a literal, because SQLite would not use the index of proposals for a parameter
      .groupBy('name')
      .as('proposals');
    const rows = await current(this.database.longReads)
      .clearSelect()
      .leftJoin(proposals, 'proposals.name', 'workflows.name')
      .select(['workflows.name', 'workflows.enabled', 'proposals.proposedAt', 'workflow_versions.created_at'])
      .orderBy('workflows.name')
      .execute();
    return rows.map(({ name, enabled, proposedAt, created_at }) => ({
      name,
      enabled: enabled === 1,
      isProposed: proposedAt !== null && (proposedAt > created_at || (proposedAt === created_at && enabled === 0)),
    }));
  }

  async listStates(): Promise<WorkflowState[]> {
    const rows = await this.database
      .selectFrom('workflows')
      .select(['name', 'version', 'enabled', 'updated_at'])
      // Each version is saved later than those before it.
      .select((workflow) =>
        workflow
          .selectFrom('workflow_versions')
          .select(({ fn }) => fn.max('workflow_versions.created_at').as('newest'))
          .whereRef('workflow_versions.name', '=', 'workflows.name')
          .as('savedAt'),
      )
      .execute();
    return rows.map(({ name, version, enabled, updated_at, savedAt }) => ({
      name,
      enabled: enabled === 1,
      state: [version, enabled, updated_at, savedAt].join(' '),
    }));
  }

  /** Returns one page of the versions of a workflow, last saved first. */
  async listVersions(name: string, page: PageRequest): Promise<Page<VersionEntry>> {
    const versions = this.database
      .selectFrom('workflow_versions')
      .select(['name', 'version', 'source', 'author', 'created_at'])
      .where('name', '=', name);
    const found = await readPage(versions, page, { by: ['created_at', 'version'], isDescending: true });
    return mapPage(found, ({ created_at, source, ...row }) => ({
      ...row,
      source: source as WorkflowSource,
      createdAt: new Date(created_at),
    }));
  }

  /**
   * Saves a version, and makes it current if requested or if it is the first. Changes nothing, and returns null, when the version
   * has another text and has run; or `proposed`, when a client proposes another text for it.
   * @param basedOn the revision that the caller knows; if it is outdated, the outcome is `outdated`, and nothing is changed
   */
  save(
    version: WorkflowVersion,
    { makeCurrent, basedOn }: { makeCurrent: boolean; basedOn?: string | undefined },
  ): Promise<SaveOutcome | 'outdated' | 'proposed' | null> {
    return this.database.transaction().execute(async (transaction) => {
      await lockWorkflow(transaction, version.name);
      if (basedOn !== undefined && !(await isAt(transaction, version.name, basedOn))) return 'outdated';
      const before = await versionBefore(transaction, version);
      const isSame = before?.document === version.document;
      // An editor of the current version has seen its text.
      if (!isSame && before?.source === 'assistant' && before.isCurrent === null) return 'proposed';
      if (!isSame && !(await writeVersion(transaction, version))) return null;
      await writeCurrent(transaction, version, { makeCurrent, isSame, enabled: 1 });
      return isSame ? 'unchanged' : before ? 'replaced' : 'created';
    });
  }

  /**
   * Saves a version that a client proposes. It does not become current; if it is the first version, its workflow is disabled.
   * Returns null, and changes nothing, when the version has another text: an administrator may have read it, and enable it next.
   */
  propose(version: WorkflowVersion): Promise<ProposalOutcome | null> {
    return this.database.transaction().execute(async (transaction) => {
      await lockWorkflow(transaction, version.name);
      const before = await versionBefore(transaction, version);
      const isSame = before?.document === version.document;
      if (before && !isSame) return null;
      if (!before) await writeVersion(transaction, version);
      await writeCurrent(transaction, version, { makeCurrent: false, isSame, enabled: 0 });
      return before ? 'unchanged' : 'created';
    });
  }

  /** Counts the versions that a client has proposed since a time. */
  countProposed(author: string, since: Date): Promise<number> {
    const proposed = this.database.selectFrom('workflow_versions').where('author', '=', author);
    return countRows(proposed.where('created_at', '>', since.toISOString()));
  }

  /** Enables or disables a workflow; returns whether it exists. */
  async setEnabled(name: string, enabled: boolean, at: Date): Promise<boolean> {
    return hasEffect(
      this.database
        .updateTable('workflows')
        .set({ enabled: enabled ? 1 : 0, updated_at: at.toISOString() })
        .where('name', '=', name),
    );
  }

  /** Makes a version current. Returns whether the workflow and version exist. */
  async setCurrent(name: string, version: string, at: Date): Promise<boolean> {
    return hasEffect(
      this.database
        .updateTable('workflows')
        .set({ version, updated_at: at.toISOString() })
        .where('name', '=', name)
        .where((where) =>
          where.exists(
            where
              .selectFrom('workflow_versions')
              .select('workflow_versions.name')
              .where('workflow_versions.name', '=', name)
              .where('workflow_versions.version', '=', version),
          ),
        ),
    );
  }

  /** Removes a workflow and its versions that have never run. Returns whether it existed. */
  delete(name: string): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      await lockWorkflow(transaction, name);
      const isDeleted = await hasEffect(transaction.deleteFrom('workflows').where('name', '=', name));
      await deleteUnusedVersions(transaction, name);
      return isDeleted;
    });
  }
}

function current(database: Kysely<Tables>) {
  return database
    .selectFrom('workflows')
    .innerJoin('workflow_versions', (join) =>
      join
        .onRef('workflow_versions.name', '=', 'workflows.name')
        .onRef('workflow_versions.version', '=', 'workflows.version'),
    )
    .select([
      'workflows.name',
      'workflows.version',
      'workflows.enabled',
      'workflows.updated_at',
      'workflow_versions.document',
      'workflow_versions.source',
      'workflow_versions.author',
      'workflow_versions.created_at',
    ]);
}

async function isAt(transaction: Transaction<Tables>, name: string, revision: string): Promise<boolean> {
  const row = await current(transaction).where('workflows.name', '=', name).executeTakeFirst();
  return row !== undefined && revisionOf(toWorkflow(row)) === revision;
}

type VersionRow = Pick<Selectable<WorkflowVersionTable>, (typeof VERSION_COLUMNS)[number]>;

function toVersion({ created_at, source, ...row }: VersionRow): WorkflowVersion {
  return { ...row, source: source as WorkflowSource, createdAt: new Date(created_at) };
}

function toWorkflow({ enabled, updated_at, ...row }: VersionRow & { enabled: number; updated_at: string }): Workflow {
  return { ...toVersion(row), enabled: enabled === 1, updatedAt: new Date(updated_at) };
}
