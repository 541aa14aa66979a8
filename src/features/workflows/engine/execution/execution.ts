import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type DurableSteps, type StepRef, WorkflowError } from '#open-workflow';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import type { Program } from '../../runs/execution/program.js';
import { RunReleased } from '../../runs/execution/run-engine.js';
import { isRefusal } from '../../../../platform/database/database-failure.rules.js';
import type { Ending } from '../run-ending.table.js';
import { problemOfRun, refusedWrite } from '../step-outcome.js';
import { seenBy, type StoredStep } from '../step.store.js';
import { AwaitedNews, seenByAll } from './awaited-news.js';
import type { ExecutionListener, Surroundings } from './execution-listener.js';
import { type Call, never, Scope, type Wait } from './scope.js';

/** How long a waiting run stays in memory. After a suspension, it has to be executed again from its beginning. */
const SHORT_MS = 5_000;
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [50, 2_000];

/**
 * One execution of a run: from the beginning, through the recorded steps, until it ends, is suspended, or is released. After
 * that, no step starts or returns.
 */
export class Execution {
  private readonly logger = new Logger('Run');
  private readonly scope = new Scope();
  private readonly news: AwaitedNews;
  private isReleased = false;
  private isChecking = false;
  private isDelivering = false;
  private hasNews = false;
  private lastStart: string | null = null; // null = not requested yet
  private lastSeq: number | null = null; // null = no number assigned yet
  private lastTurn: Promise<void> = Promise.resolve();
  private readonly writes = new Set<{ scope: Scope; done: Promise<boolean> }>();
  private timer: NodeJS.Timeout | null = null; // null = no timer is needed
  private yields = 0; // number of its calls that wait for other runs
  private waitsSince: Date | null = null; // null = a call is in progress

  constructor(
    readonly run: ClaimedRun,
    readonly recorded: Map<string, StoredStep>,
    readonly around: Surroundings,
    readonly listener: ExecutionListener,
  ) {
    this.news = new AwaitedNews(this, this.scope);
  }

  /** Executes the program. Never throws: the listener is notified of its end. */
  start(program: Program, stepsIn: (scope: Scope) => DurableSteps): void {
    const steps = stepsIn(this.scope);
    const { entry } = this.run;
    const executed =
      entry === null ? program.execute(steps) : program.executeBlock(entry, steps).then(({ output }) => output);
    executed.then(
      (output) => this.end({ status: 'completed', output }),
      (error: unknown) => this.end({ status: 'failed', error: problemOfRun(this.run, error, this.logger) }),
    );
  }

  /** Ends the execution without an outcome: another process continues the run, or this one does later. */
  release(): void {
    this.isReleased = true;
    this.stop(new RunReleased());
  }

  /** Frees the place of the run while a step waits for another run and no other step is active. Returns a function that ends this. */
  yieldPlace(): () => void {
    this.yields += 1;
    this.checkSoon();
    return () => {
      this.yields -= 1;
      this.checkSoon();
    };
  }

  /**
   * Returns whether a recorded step ended while nothing executed the run: no step has started since, and there was no
   * notification.
   */
  endedMeanwhile({ endedAt }: StoredStep): boolean {
    this.lastStart ??= [...this.recorded.values()].reduce(
      (latest, { startedAt }) => (startedAt > latest ? startedAt : latest),
      '',
    );
    return endedAt !== null && endedAt >= this.lastStart;
  }

  nextSeq(): number {
    this.lastSeq ??= [...this.recorded.values()].reduce((last, { seq, endSeq }) => Math.max(last, seq, endSeq ?? 0), 0);
    return (this.lastSeq += 1);
  }

  /** Checks for arrived events and ended runs. */
  nudge(): void {
    this.hasNews = true;
    this.deliverNews().catch((error: unknown) => this.fail(error));
  }

  /** Like `nudge`, after a notification of another process, which may have cancelled the run: then its calls stop. */
  recheck(): void {
    this.nudge();
    this.persist(() => this.around.states.isHeld(this.run)).then(
      (isHeld) => {
        if (!isHeld && !this.scope.isStopped) this.lose();
      },
      (error: unknown) => this.fail(error),
    );
  }

  /** Counts work as in progress until it has ended. It never returns if the scope is stopped in the meantime. */
  async during<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    if (scope.isStopped) return never();
    this.continues();
    const call: Call = { kind: 'call' };
    scope.operations.add(call);
    if (this.yields > 0) this.checkSoon();
    try {
      const result = await work();
      return scope.isStopped ? await never() : result;
    } finally {
      scope.operations.delete(call);
      this.checkSoon();
    }
  }

  /** Yields to the event loop: many branches at once would block the main thread. */
  turn(): Promise<void> {
    this.lastTurn = this.lastTurn.then(() => nextTurn());
    return this.lastTurn;
  }

  /** Writes to the database, with retries while it does not respond. Stops the execution when the run is lost. */
  async write(scope: Scope, work: () => Promise<boolean>): Promise<void> {
    // Anything started now, such as a child run, would never be cancelled.
    if (scope.isStopped) return never();
    const write = { scope, done: this.persist(work) };
    this.writes.add(write);
    const isWritten = await write.done.finally(() => this.writes.delete(write));
    if (isWritten) return;
    // A stopped step can no longer be written: this does not mean that the run is lost.
    if (!scope.isStopped) this.lose();
    await never();
  }

  /**
   * Records that blocks were intentionally stopped, with all steps in them, and cancels the runs for which they waited. The steps
   * are identified by the names of the blocks: a restarted execution may not have reached all of them.
   * @param watcher the step that waited for the blocks
   */
  async abandon(blocks: readonly string[], watcher: string): Promise<void> {
    const { around, run, listener } = this;
    // Wait for writes in progress, which would otherwise take effect after the cancellation: a question, a child run, or an event
    // that the execution as a whole gives to a step.
    const theirs = [...this.writes].filter(({ scope }) => scope.isStopped || scope === this.scope);
    await Promise.allSettled(theirs.map(({ done }) => done));
    const children = await this.persist(() =>
      around.steps.cancelWithin({ runId: run.id, epoch: run.epoch, blocks, watcher }, around.now()),
    );
    for (const child of children) {
      const { cancelled } = await this.persist(() => around.states.cancel(child, around.now()));
      listener.cancelled(cancelled);
    }
  }

  /** Logs a message for the readers of the run. Nothing depends on it. */
  log(step: StepRef, level: 'info' | 'warning', message: string): void {
    this.around.steps.log(this.run.id, step.name, level, message).catch((error: unknown) => this.logger.warn(error));
  }

  /** Registers a wait until it is settled or the scope is stopped. */
  wait(scope: Scope, wait: Wait): void {
    if (scope.isStopped) return;
    scope.operations.add(wait);
    if (wait.event || wait.child !== null) this.nudge();
    this.checkSoon();
  }

  settled(scope: Scope, wait: Wait): void {
    scope.operations.delete(wait);
    this.checkSoon();
  }

  /** Accesses the database, with retries while it does not respond. @throws WorkflowError when it refuses a write */
  async persist<T>(work: () => Promise<T>): Promise<T> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)) {
      try {
        return await work();
      } catch (error) {
        if (this.isReleased) return never();
        if (isRefusal(error)) throw this.refused(error);
        this.logger.warn({ err: error, run: this.run.id }, 'The database did not take a step: trying again');
        await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
        if (this.isReleased) return never();
      }
    }
  }

  private refused(error: unknown): WorkflowError {
    this.logger.error({ err: error, run: this.run.id }, 'The database refuses what a run writes');
    return refusedWrite(error);
  }

  /** After the current turn, suspends the run if only waits are left, unless these end soon. */
  checkSoon(): void {
    if (this.isChecking) return;
    this.isChecking = true;
    setImmediate(() => {
      this.isChecking = false;
      if (!this.scope.isStopped) this.check();
    });
  }

  private check(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const operations = [...this.scope.all()];
    const waits = operations.filter((operation) => operation.kind === 'wait');
    this.listener.placeYielded(this.run, this.yields > 0 && operations.length - waits.length <= this.yields);
    const now = this.around.now();
    const due = waits.filter(({ wakeAt }) => wakeAt !== null && wakeAt <= now);
    if (due.length > 0) return due.forEach(({ onDue }) => onDue());
    const next = earliest(waits);
    const isIdle = waits.length > 0 && operations.length === waits.length;
    const again = isIdle ? this.staysUntil(waits, next, now) : next;
    if (again) this.timer = setTimeout(() => this.checkSoon(), Math.min(again.getTime() - now.getTime(), 60_000));
    else if (isIdle) this.suspend(next).catch((error: unknown) => this.fail(error));
  }

  /** Returns when to check again a run that only waits, probably briefly; null = suspend it. */
  private staysUntil(waits: readonly Wait[], next: Date | null, now: Date): Date | null {
    this.waitsSince ??= now;
    const until = new Date(this.waitsSince.getTime() + SHORT_MS);
    // External events may take any time, and people should see that the run is waiting.
    if (waits.some(({ event }) => event) || now >= until) return null;
    const soonest = next && next <= until ? next : waits.some(({ child }) => child !== null) ? until : null;
    return soonest && this.listener.mayStay(this.run) ? soonest : null;
  }

  private continues(): void {
    if (this.waitsSince) this.listener.continued(this.run);
    this.waitsSince = null;
  }

  private async suspend(wakeAt: Date | null): Promise<void> {
    const waits = this.scope.waits().filter(({ event }) => event);
    const seenEvents = waits.length > 0 ? seenByAll(waits) : null;
    const tested = waits.filter(({ fits, seen, step }) => fits && seen > seenBy(this.recorded.get(step.name)));
    this.stop();
    const { around } = this;
    const checked = tested.flatMap(({ step: { name }, event, seen }) =>
      event ? [{ name, wait: { event, isTested: true, seen } }] : [],
    );
    await this.persist(() => around.steps.noteSeen(this.run.id, checked));
    const outcome = await this.persist(() => around.states.suspend(this.run, wakeAt, seenEvents, around.now()));
    if (this.isReleased) return;
    if (outcome === 'lost') this.listener.lost(this.run);
    else if (outcome === 'has news') this.listener.mustRestart(this.run);
    else this.listener.suspended(this.run, wakeAt, this.hasNews);
  }

  private async end(ending: Ending): Promise<void> {
    if (this.scope.isStopped) return;
    this.stop();
    try {
      await this.writeEnd(ending).catch((error: unknown) => {
        if (!(error instanceof WorkflowError)) throw error;
        return this.writeEnd({ status: 'failed', error: error.problem });
      });
    } catch (error) {
      this.fail(error);
    }
  }

  private async writeEnd(ending: Ending): Promise<void> {
    const { around } = this;
    const affected = await this.persist(() => around.states.end(this.run, ending, around.now()));
    if (this.isReleased) return;
    if (affected === null) return this.listener.lost(this.run);
    this.listener.cancelled(affected.cancelled);
    this.listener.ended(this.run, ending, affected.woken);
  }

  /** Stops everything immediately: nothing starts or returns any more. */
  private stop(reason?: Error): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.scope.stop(reason);
  }

  /** Delivers news to the waits, as long as there may be any. */
  private async deliverNews(): Promise<void> {
    if (this.isDelivering) return;
    this.isDelivering = true;
    while (this.hasNews && !this.scope.isStopped) {
      this.hasNews = false;
      await this.during(this.scope, () => this.news.deliver());
    }
    this.isDelivering = false;
  }

  private fail(error: unknown): void {
    this.logger.error({ err: error, run: this.run.id }, 'An execution was interrupted and will be retried');
    this.lose();
  }

  private lose(): void {
    this.release();
    this.listener.lost(this.run);
  }
}

function earliest(waits: readonly Wait[]): Date | null {
  const times = waits.flatMap(({ wakeAt }) => (wakeAt === null ? [] : [wakeAt.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}
