import { Injectable } from '@nestjs/common';
import { WorkflowError } from '#open-workflow';
import type { Client } from '#skill-kit';
import { ADMIN_CLIENT } from '../../../access/audit/audit-entry.js';
import { ownerOf } from '../../../access/clients/owner.js';
import { ReadableResources } from '../../../access/policy/readable-resources.service.js';
import { SkillsService } from '../../../core/skills/skills.service.js';
import type { Page, PageRequest } from '../../../platform/paging/page-cursor.js';
import { Programs } from './execution/program.js';
import { type Run, type RunSummary, SERVICE_CLIENT } from './run.js';
import { runUri } from './run-view.rules.js';
import { cursorOfRun, type RunFilter } from './run.store.js';
import { RunNotFound, RunNotStartedByClient } from './runs.errors.js';
import { RunsService } from './runs.service.js';

/** The owners of runs that no client started. */
const NO_CLIENTS: readonly string[] = [SERVICE_CLIENT.name, ADMIN_CLIENT.name];

const ownersFor = (client: Client): string[] => [ownerOf(client), ...NO_CLIENTS];
const isOfNoClient = ({ client }: RunSummary): boolean => NO_CLIENTS.includes(client);

/**
 * The runs that a client may follow: its own, and those that schedules, events and administrators started of workflows that it
 * may call. Only administrators see their trials.
 */
@Injectable()
export class VisibleRuns {
  constructor(
    private readonly runs: RunsService,
    private readonly programs: Programs,
    private readonly skills: SkillsService,
    private readonly readable: ReadableResources,
  ) {}

  /** @throws RunNotFound, also when the client may not see it */
  async get(id: string, client: Client): Promise<Run> {
    const run = await this.runs.getOf(id, ownersFor(client));
    const [visible] = this.readable.mayRead(client, runUri(id)) ? await this.visible([run], client) : [];
    if (!visible) throw new RunNotFound(id);
    return run;
  }

  /** Returns a run that the client may cancel: one of its own. @throws RunNotFound, RunNotStartedByClient */
  async getOwn(id: string, client: Client): Promise<Run> {
    const run = await this.get(id, client);
    if (isOfNoClient(run)) throw new RunNotStartedByClient(id);
    return run;
  }

  /** Returns one page of runs, newest first; it has fewer than the limit when some are not for the client. */
  async listPage(query: PageRequest & RunFilter, client: Client): Promise<Page<RunSummary>> {
    const page = await this.runs.listPage({ ...query, owners: ownersFor(client) });
    return { ...page, items: await this.visible(page.items, client) };
  }

  /**
   * Returns one page of runs that were started before another one, newest first.
   * @param before id of that run; undefined = from the newest
   * @throws RunNotFound
   */
  async listBefore(
    before: string | undefined,
    query: Omit<PageRequest, 'cursor'> & RunFilter,
    client: Client,
  ): Promise<Page<RunSummary>> {
    const cursor = before === undefined ? undefined : cursorOfRun(await this.get(before, client));
    return this.listPage({ ...query, cursor }, client);
  }

  /** Returns the ids that start with a prefix, newest run first. */
  async listIds(query: { prefix: string; limit: number }, client: Client): Promise<string[]> {
    const found = await this.runs.listByPrefix({ ...query, owners: ownersFor(client) });
    return (await this.visible(found, client)).map(({ id }) => id);
  }

  private async visible(runs: readonly RunSummary[], client: Client): Promise<RunSummary[]> {
    const mayUse = new Map<string, Promise<boolean>>();
    const decided = runs.map(async (run) => {
      if (!isOfNoClient(run)) return [run];
      if (run.isTest) return [];
      const program = `${run.name} ${run.version}`;
      const decision = mayUse.get(program) ?? this.mayUse(client, run);
      mayUse.set(program, decision);
      return (await decision) ? [run] : [];
    });
    return (await Promise.all(decided)).flat();
  }

  private async mayUse(client: Client, run: RunSummary): Promise<boolean> {
    try {
      return this.skills.mayUse(client, { name: run.name, tags: await this.programs.tagsOf(run) });
    } catch (error) {
      if (error instanceof WorkflowError) return false; // its tags are unknown
      throw error;
    }
  }
}
