import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type CloudEvent, WorkflowError } from '#open-workflow';
import { SettingsService } from '../../../../platform/config/settings.service.js';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import { EngineStores } from '../engine-stores.service.js';
import { Execution } from '../execution/execution.js';
import type { ExecutionListener, Surroundings } from '../execution/execution-listener.js';
import type { Scope } from '../execution/scope.js';
import { ScopedSteps } from '../execution/scoped-steps.js';
import { type Program, Programs } from '../../runs/execution/program.js';
import { RunEngine, type StartedRun } from '../../runs/execution/run-engine.js';
import { RunReports } from '../run-reports.service.js';
import type { CancelledRun, Ending, Woken } from '../run-ending.table.js';
import type { StoredStep } from '../step.store.js';
import { type Claim, Claims } from './claims.js';
import { type Executions, Ownership } from './ownership.js';
import { RunPlaces } from './run-places.js';

/** Number of runs per query. */
const AT_ONCE = 500;
/** How long steps in progress may still take when the service stops. */
const DRAIN_MS = 3_000;
/** How long giving up partitions waits for runs that are being claimed; after that, it is retried on the next refresh. */
const SETTLE_MS = 1_000;

/**
 * Executes runs in this process, on the database of the service. It executes the runs of the partitions that it owns: immediately
 * those that it has inserted itself, others when it is notified of them, and the rest by polling every 2 s.
 */
@Injectable()
export class EmbeddedEngine
  extends RunEngine
  implements ExecutionListener, OnApplicationBootstrap, BeforeApplicationShutdown
{
  /** Polling interval for runs without a notification. */
  protected readonly pollEveryMs: number = 2_000;
  private readonly logger = new Logger(EmbeddedEngine.name);
  private readonly active = new Map<string, Execution>();
  private readonly places: RunPlaces;
  private readonly claims = new Claims();
  private readonly wakes = new Map<string, NodeJS.Timeout>();
  private readonly around: Surroundings;
  private readonly executions: Executions = {
    areIn: (partition) => [...this.active.values()].some(({ run }) => run.partition === partition),
    settle: () => this.claims.settle(SETTLE_MS),
  };
  private timer: NodeJS.Timeout | null = null; // null = not started
  private ticking: Promise<void> | null = null; // null = no tick in progress
  private isStopping = false;

  constructor(
    private readonly stores: EngineStores,
    private readonly programs: Programs,
    private readonly ownership: Ownership,
    settings: SettingsService,
    private readonly reports: RunReports,
  ) {
    super();
    this.places = new RunPlaces(() => settings.get('workflows.concurrency'));
    this.around = {
      states: stores.states,
      steps: stores.steps,
      programs,
      reports,
      now: () => new Date(),
      partition: () => ownership.partitionForNew(),
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    this.ownership.onLost(() => this.releaseAll());
    this.reports.onNotified((id) => (id === null ? this.catchUp() : this.notified(id)));
    await this.tick();
    this.timer = setInterval(() => this.tickSoon(), this.pollEveryMs).unref();
  }

  /** Waits a short time for steps in progress, and leaves everything else to other replicas or to the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    for (const timer of this.wakes.values()) clearTimeout(timer);
    for (const id of this.places.listStaying()) this.active.get(id)?.checkSoon();
    const deadline = performance.now() + DRAIN_MS;
    while ((this.active.size + this.claims.size > 0 || this.ticking) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.releaseAll();
    await this.ownership.close();
  }

  async start(started: StartedRun): Promise<boolean> {
    const now = new Date();
    const isAwaited = started.depth > 0;
    const isNext = isAwaited || !this.places.hasBacklog;
    const isNow = this.hasRoom && started.takesOver === null && isNext && this.ownership.owned().length > 0;
    const partition = this.ownership.partitionForNew();
    const run = { ...started, partition };
    if (isNow) return this.startHere(run, now);
    const isNew = await this.stores.states.insert({ ...run, status: 'pending' }, now);
    if (isNew && isAwaited && this.owns(run) && !this.hasRoom) this.places.queue(run.id, true);
    else if (isNew) this.wakeWherever([run]);
    return isNew;
  }

  /** Inserts a run and executes it, before a poll of the database can find it. */
  private async startHere(run: StartedRun & Woken, now: Date): Promise<boolean> {
    const claim = this.begin(run.id);
    try {
      const isNew = await this.stores.states.insert({ ...run, status: 'running' }, now);
      if (!this.claims.has(run.id, claim)) return isNew;
      if (isNew) this.execute({ ...run, epoch: 1 }, new Map());
      else this.forget(run.id);
      return isNew;
    } catch (error) {
      if (this.claims.has(run.id, claim)) this.forget(run.id);
      throw error;
    }
  }

  async publish(event: CloudEvent): Promise<void> {
    const listeners = await this.stores.events.listListeners(event.type);
    this.wakeWherever(await this.stores.events.deliver(listeners, event, new Date()));
  }

  async answer(runId: string, step: string, event: CloudEvent): Promise<boolean> {
    const woken = await this.stores.events.answer(runId, step, event, new Date());
    if (woken) this.wakeWherever([woken]);
    return woken !== null;
  }

  async cancel(id: string): Promise<string[]> {
    const { cancelled, woken } = await this.stores.states.cancel(id, new Date());
    this.cancelled(cancelled);
    this.wakeWherever(woken);
    return cancelled.map((run) => run.id);
  }

  /** Polls for everything that this process should execute. Calls during a tick share the next one. */
  async tick(): Promise<void> {
    const before = this.ticking;
    this.ticking ??= this.poll().finally(() => (this.ticking = null));
    await this.ticking;
    if (before) await (this.ticking ??= this.poll().finally(() => (this.ticking = null)));
  }

  childInserted(child: Woken): void {
    this.wakeWherever([child]);
  }

  cancelled(runs: readonly CancelledRun[]): void {
    for (const run of runs) {
      this.active.get(run.id)?.release();
      this.forget(run.id);
      this.reports.cancelled(run);
    }
    this.reports.notifyReplicas(runs.filter((run) => !this.owns(run)).map(({ id }) => id));
  }

  mayStay({ id, partition }: ClaimedRun): boolean {
    if (this.isStopping || this.ownership.isLeaving(partition)) return false;
    const mayStay = this.places.stay(id);
    this.takeNext();
    return mayStay;
  }

  override yieldPlace(id: string): () => void {
    return this.active.get(id)?.yieldPlace() ?? super.yieldPlace(id);
  }

  placeYielded({ id }: ClaimedRun, isYielded: boolean): void {
    this.places.setYielded(id, isYielded);
    if (isYielded) this.takeNext();
  }

  continued({ id }: ClaimedRun): void {
    this.places.reclaim(id);
  }

  ended(run: ClaimedRun, ending: Ending, woken: readonly Woken[]): void {
    this.forget(run.id);
    this.reports.ended(run, ending);
    this.wakeWherever(woken);
  }

  suspended(run: ClaimedRun, wakeAt: Date | null, hasNews: boolean): void {
    this.forget(run.id);
    this.reports.waiting(run);
    if (hasNews) this.wakeHere(run.id);
    if (wakeAt) this.wakeAt(run.id, wakeAt);
  }

  mustRestart(run: ClaimedRun): void {
    this.active.delete(run.id);
    this.take(run.id, async () => run);
  }

  lost(run: ClaimedRun): void {
    this.forget(run.id);
  }

  private get hasRoom(): boolean {
    return !this.isStopping && this.places.hasRoom;
  }

  private owns({ partition }: Woken): boolean {
    return this.ownership.owned().includes(partition);
  }

  private notified(id: string): void {
    const execution = this.active.get(id);
    if (execution) execution.recheck();
    else this.wakeHere(id);
  }

  /** Called when notifications may have been missed, also those for runs that are executed here. */
  private catchUp(): void {
    for (const execution of this.active.values()) execution.recheck();
    this.tickSoon();
  }

  private tickSoon(): void {
    this.tick().catch((error: unknown) => this.logger.warn(`looking for runs failed: ${String(error)}`));
  }

  private async poll(): Promise<void> {
    if (this.isStopping) return;
    await this.ownership.refresh(this.executions);
    const owned = this.ownership.owned();
    const now = Date.now();
    const due = await this.stores.states.listDue(owned, new Date(now + this.pollEveryMs + 500), AT_ONCE);
    for (const { id, wakeAt } of due) this.wakeAt(id, wakeAt);
    // Runs that nobody executes, oldest first.
    const found = await this.stores.states.listRunnable(owned, this.active.size + this.claims.size + AT_ONCE);
    for (const id of found) if (!this.active.has(id)) this.wakeHere(id);
  }

  private wakeWherever(runs: readonly Woken[]): void {
    for (const run of runs) if (this.owns(run)) this.wakeHere(run.id);
    this.reports.notifyReplicas(runs.filter((run) => !this.owns(run)).map(({ id }) => id));
  }

  private wakeAt(id: string, wakeAt: Date): void {
    const delayMs = wakeAt.getTime() - Date.now();
    // A later tick finds those that are due later.
    if (delayMs > this.pollEveryMs + 500 || this.wakes.has(id) || this.isStopping) return;
    // A timer may fire a moment early, before the run is due.
    const timer = setTimeout(() => this.wakeHere(id), Math.max(0, delayMs) + 1);
    this.wakes.set(id, timer);
  }

  /** Executes a run here if there is work and a place; if it is already being executed, makes it check for news. */
  private wakeHere(id: string): void {
    clearTimeout(this.wakes.get(id));
    this.wakes.delete(id);
    const execution = this.active.get(id);
    if (execution) return execution.nudge();
    const claim = this.claims.get(id);
    if (claim) {
      claim.isNudged = true;
      return;
    }
    if (this.isStopping) return;
    if (!this.hasRoom) return this.places.queue(id, false);
    this.take(id, () => this.stores.states.claim(id, this.ownership.owned(), new Date()));
  }

  /** Executes a run once it is claimed, if there is work. */
  private take(id: string, claimRun: () => Promise<ClaimedRun | undefined>): void {
    const claim = this.begin(id);
    this.tryClaim(id, claim, claimRun).catch((error: unknown) => {
      if (this.claims.has(id, claim)) this.postpone(id, error);
    });
  }

  private begin(id: string): Claim {
    this.places.take(id);
    return this.claims.begin(id);
  }

  private async tryClaim(id: string, claim: Claim, claimRun: () => Promise<ClaimedRun | undefined>): Promise<void> {
    const run = await claimRun();
    const recorded = run && (await this.stores.steps.load(id));
    if (!this.claims.has(id, claim)) return;
    if (recorded && !this.isStopping) return this.execute(run, recorded);
    this.forget(id);
    if (claim.isNudged) this.wakeHere(id);
  }

  private execute(run: ClaimedRun, recorded: Map<string, StoredStep>): void {
    const execution = new Execution(run, recorded, this.around, this);
    this.claims.end(run.id);
    this.active.set(run.id, execution);
    this.reports.running(run);
    const stepsIn = (scope: Scope) => new ScopedSteps(execution, scope);
    this.programs.programOf(run).then(
      (program) => execution.start(program, stepsIn),
      (error: unknown) => {
        if (error instanceof WorkflowError) return execution.start(failing(error), stepsIn);
        execution.release();
        this.postpone(run.id, error);
      },
    );
  }

  /** Called when the database did not respond. One of the next ticks will find the run again. */
  private postpone(id: string, error: unknown): void {
    this.logger.warn(`could not start a run; will retry: ${String(error)}`);
    this.forget(id);
  }

  private forget(id: string): void {
    this.active.delete(id);
    this.claims.end(id);
    this.places.leave(id);
    this.takeNext();
  }

  private takeNext(): void {
    const next = this.isStopping ? undefined : this.places.next();
    if (next === undefined) return;
    this.wakeHere(next);
    // The others are in the database, and are found when these are done.
    if (!this.places.hasBacklog) this.tickSoon();
  }

  private releaseAll(): void {
    for (const execution of this.active.values()) execution.release();
    this.active.clear();
    this.claims.endAll();
    this.places.clear();
  }
}

/** A program that fails immediately, in place of one that cannot be loaded. */
function failing(error: WorkflowError): Program {
  const fail = () => Promise.reject(error);
  return { execute: fail, executeBlock: fail };
}
