import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { BlockRef, CloudEvent } from '#open-workflow';
import { DEEPEST_CALL, type SkillResult } from '#skill-kit';
import { type Owner, ownerOf } from '../../../access/clients/owner.js';
import type { Page, PageRequest } from '../../../platform/paging/page-cursor.js';
import type { TakenOver } from './execution/claimed-run.js';
import { Programs } from './execution/program.js';
import { RunEngine } from './execution/run-engine.js';
import {
  type AskedQuestion,
  hasEnded,
  type ListedStep,
  type NewRun,
  type OpenQuestion,
  type Run,
  type RunLog,
  type RunStep,
  type RunSummary,
} from './run.js';
import { type Followed, RunFollowers } from './run-followers.service.js';
import { RunResults } from './run-results.service.js';
import { type RunFilter, type RunIdQuery, RunStore, type StepPageQuery, type StepsQuery } from './run.store.js';
import { runView, type ViewedRun, VIEWED_STEPS } from './run-view.rules.js';
import { type TaskState, taskStatesOf } from './task-states.rules.js';
import { RunInputTooLarge, RunNotFound, RunTooDeep, StepNotFound } from './runs.errors.js';

const MOST_ASKED = 50;
const LARGEST_INPUT_BYTES = 1024 * 1024;

export interface Beginning {
  /** The block to execute; null = the whole program. */
  entry: BlockRef | null;
  /** The steps to take over from another run; null = none. */
  takesOver: TakenOver | null;
}

const FROM_THE_START: Beginning = { entry: null, takesOver: null };

/** Called with published events, to start what they trigger. */
export type EventSubscriber = (event: CloudEvent) => Promise<void>;

/** Starts, reads and cancels runs, and delivers the answers and events for which they wait. */
@Injectable()
export class RunsService {
  private readonly subscribers: EventSubscriber[] = [];

  constructor(
    private readonly runs: RunStore,
    private readonly engine: RunEngine,
    private readonly programs: Programs,
    private readonly followers: RunFollowers,
    private readonly results: RunResults,
  ) {}

  /**
   * Starts a run, which is durable when this resolves. Starting the same workflow again with the same idempotency key returns the
   * first run.
   * @throws RunInputTooLarge, RunTooDeep
   */
  async start(run: NewRun, beginning: Beginning = FROM_THE_START): Promise<Run> {
    const bytes = Buffer.byteLength(JSON.stringify(run.input));
    if (bytes > LARGEST_INPUT_BYTES) throw new RunInputTooLarge(bytes, LARGEST_INPUT_BYTES);
    const { depth = 0 } = run;
    if (depth > DEEPEST_CALL) throw new RunTooDeep(DEEPEST_CALL);
    const id = randomBytes(16).toString('hex');
    const isNew = await this.engine.start({
      ...run,
      id,
      parent: null,
      parentStep: null,
      root: id,
      depth,
      ...beginning,
      createdAt: new Date(),
      eventTypes: await this.programs.eventTypesOf(run),
    });
    if (isNew || run.idempotencyKey === null) return this.get(id);
    const existing = await this.runs.findByKey(run.name, run.idempotencyKey);
    if (!existing) throw new RunNotFound(id);
    return existing;
  }

  /** @param client the required owner of the run; undefined = any @throws RunNotFound */
  get(id: string, client?: Owner): Promise<Run> {
    return this.getOf(id, client && [ownerOf(client)]);
  }

  /** @param owners allowed owners of the run; undefined = any @throws RunNotFound */
  async getOf(id: string, owners: readonly string[] | undefined): Promise<Run> {
    const run = await this.runs.find(id, owners);
    if (!run) throw new RunNotFound(id);
    return run;
  }

  /** Returns one page of runs, newest first. */
  listPage(query: PageRequest & RunFilter): Promise<Page<RunSummary>> {
    return this.runs.listPage(query);
  }

  /** Returns the runs whose ids start with a prefix, newest first. */
  listByPrefix(query: RunIdQuery): Promise<RunSummary[]> {
    return this.runs.listByPrefix(query);
  }

  /** Returns steps of a run in the order of their start; by default all, in full. */
  steps(id: string, query: StepsQuery = { longest: Number.MAX_SAFE_INTEGER }): Promise<ListedStep[]> {
    return this.runs.listSteps(id, query);
  }

  /** Returns one page of the steps of a run, the last to start first. @throws RunNotFound */
  async stepPage(id: string, query: StepPageQuery): Promise<Page<ListedStep>> {
    await this.get(id);
    return this.runs.listStepPage(id, query);
  }

  /** Returns the state of each task of a run that has begun. */
  async taskStates(run: Run): Promise<{ task: string; state: TaskState }[]> {
    return taskStatesOf(run, await this.runs.listStepsOfTasks(run.id));
  }

  /** Returns the view of a run for a client; its size does not grow with the number of steps. */
  async view(run: Run): Promise<object> {
    return runView(await this.viewed(run, VIEWED_STEPS));
  }

  /** Returns a run with its last steps and its open questions. */
  async viewed(run: Run, query: StepsQuery): Promise<ViewedRun> {
    const [steps, questions] = [await this.steps(run.id, query), await this.questions(run.id)];
    return { run, steps, questions, stepCount: await this.runs.countSteps(run.id) };
  }

  /** Returns one step of a run. @throws StepNotFound */
  async step(id: string, name: string): Promise<RunStep> {
    const step = await this.runs.findStep(id, name);
    if (!step) throw new StepNotFound(id, name);
    return step;
  }

  logs(id: string): Promise<RunLog[]> {
    return this.runs.listLogs(id);
  }

  questions(id: string): Promise<OpenQuestion[]> {
    return this.runs.listQuestions(id);
  }

  /** Returns at most 50 open questions of all runs, oldest first, and their total number. */
  openQuestions(): Promise<{ count: number; items: AskedQuestion[] }> {
    return this.runs.listAsked(MOST_ASKED);
  }

  /**
   * Waits until a run has ended or waits for a person's answer, or until the timeout; returns the run.
   * @throws RunNotFound, or the reason of the signal
   */
  follow(id: string, options: Followed): Promise<Run> {
    return this.followers.follow(
      id,
      () => this.get(id),
      (run) => hasEnded(run.status) || run.questions > 0,
      options,
    );
  }

  /** Converts an ended run to the result of a tool call. */
  toResult(run: Run): SkillResult {
    return this.results.toResult(run);
  }

  /** Cancels a run; an ended one stays unchanged. @throws RunNotFound */
  async cancel(id: string): Promise<void> {
    await this.get(id);
    await this.engine.cancel(id);
  }

  /** Frees the place of a run while its steps only wait for other runs. Returns a function that ends this. */
  yieldPlace(id: string): () => void {
    return this.engine.yieldPlace(id);
  }

  /** Delivers an event to all runs that listen for its type, and to the other subscribers. */
  async publish(event: CloudEvent): Promise<void> {
    await this.engine.publish(event);
    for (const notify of this.subscribers) await notify(event);
  }

  /** Subscribes `subscriber` to all published events. Publishing fails when it fails. */
  subscribe(subscriber: EventSubscriber): void {
    this.subscribers.push(subscriber);
  }
}
