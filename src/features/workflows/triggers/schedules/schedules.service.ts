import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError } from '../../../../platform/errors/app-error.js';
import { EventBus } from '../../../../platform/events/event-bus.service.js';
import { WorkflowDefinitions } from '../../definitions/workflow-definitions.service.js';
import { TriggerClock } from '../clock.js';
import {
  type CatchUp,
  catchUpOf,
  dueTicks,
  type FixedTimetable,
  nextTick,
  startAfter,
  type TickCount,
  type Timetable,
  timetablesOf,
} from './schedule.rules.js';
import { ScheduledStarts } from './scheduled-starts.service.js';
import { TimetableStore } from './timetable.store.js';

interface PlannedWorkflow {
  name: string;
  version: string;
  timetable: Timetable;
  catchUp: CatchUp;
  /** The next start; null = not known yet, or none. */
  next: Date | null;
}

const RETRY_MS = 2_000;
const PLANS_AT_ONCE = 10;
/** Polling interval for runs that ended on another replica. */
const CHECK_AGAIN_MS = 30_000;

/**
 * Starts workflows at the times of their schedules. Every replica does so by its own clock; the names of starts prevent duplicate
 * runs. Times that were missed because no replica was running are handled as the workflow specifies.
 */
@Injectable()
export class Schedules implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Schedules.name);
  private planned = new Map<string, PlannedWorkflow>();
  private cancelAlarm: () => void = () => undefined;
  private stopListening: (() => void)[] = [];
  private lastTurn: Promise<void> = Promise.resolve();
  private lastDecision: Promise<void> = Promise.resolve();
  private workedAt = new Date(0);
  /** True when the next starts were computed by a clock that was ahead. */
  private isSetBack = false;
  private isStopped = false;

  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly starts: ScheduledStarts,
    private readonly timetables: TimetableStore,
    private readonly clock: TriggerClock,
    private readonly events: EventBus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.stopListening = [
      this.events.on('workflows.changed', () => this.inTurn(() => this.plan())),
      this.events.on('run.ended', ({ name }) => {
        if (this.planned.has(`${name} after`)) this.inTurn(() => this.work());
      }),
    ];
    this.inTurn(() => this.plan());
    await this.settled();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const stop of this.stopListening) stop();
    this.cancelAlarm();
    await this.settled();
  }

  /** Resolves when all started work is done. */
  settled(): Promise<void> {
    return this.lastTurn;
  }

  private async plan(): Promise<void> {
    const current = await this.definitions.listEnabled();
    const now = this.clock.now();
    const planned = new Map<string, PlannedWorkflow>();
    for (const definition of current) {
      const { name, version } = definition.document;
      for (const timetable of timetablesOf(definition)) {
        const workflow = { name, version, timetable, catchUp: catchUpOf(definition) };
        planned.set(`${name} ${timetable.kind}`, { ...workflow, next: await this.nextOf(workflow, now) });
      }
    }
    await this.timetables.keepOnly([...new Set([...planned.values()].map(({ name }) => name))]);
    this.planned = planned;
    await this.work();
  }

  /** Returns the next start of a workflow, if known. */
  private async nextOf({ name, timetable }: Omit<PlannedWorkflow, 'next'>, now: Date): Promise<Date | null> {
    const before = this.planned.get(`${name} ${timetable.kind}`);
    if (before && JSON.stringify(before.timetable) === JSON.stringify(timetable)) return before.next;
    if (timetable.kind === 'after') return null;
    const doneUntil = await this.timetables.register(name, timetable, now);
    // A time to come was recorded by a clock that was ahead.
    return nextTick(timetable, doneUntil > now ? now : doneUntil);
  }

  /** Starts what is due, and sets the alarm for the next start. */
  private async work(): Promise<void> {
    const now = this.clock.now();
    this.isSetBack = now < this.workedAt;
    const plans = [...this.planned.values()];
    const nexts: (Date | null)[] = [];
    while (plans.length > 0 && !this.isStopped) {
      nexts.push(...(await Promise.all(plans.splice(0, PLANS_AT_ONCE).map((plan) => this.workOn(plan, now)))));
    }
    this.workedAt = now;
    const next = Math.min(...nexts.map((time) => time?.getTime() ?? Infinity));
    if (next !== Infinity) this.alarm(new Date(next), () => this.work());
  }

  /** Returns when to process the plan again; null = never. */
  private workOn(plan: PlannedWorkflow, now: Date): Promise<Date | null> {
    const { timetable } = plan;
    return timetable.kind === 'after'
      ? this.workOnSequel(plan, timetable.afterMs, now)
      : this.workOnTicks(plan, timetable, now);
  }

  private async workOnTicks(plan: PlannedWorkflow, timetable: FixedTimetable, now: Date): Promise<Date | null> {
    if (this.isSetBack) plan.next = nextTick(timetable, now);
    if (plan.next === null || plan.next > now) return plan.next;
    await this.deciding();
    const { start, skipped, next } = dueTicks(timetable, plan.next, now, plan.catchUp);
    this.logSkipped(plan.name, skipped);
    for (const tick of start) {
      if (await this.isStarted(plan, () => this.starts.startAt(plan, tick))) continue;
      // Retried until the rules decide that it is too late.
      plan.next = tick;
      return new Date(now.getTime() + RETRY_MS);
    }
    await this.timetables.advance(plan.name, timetable, now);
    plan.next = next;
    return next;
  }

  /** Yields to the event loop: after a long downtime, deciding about one plan takes a while. */
  private deciding(): Promise<void> {
    this.lastDecision = this.lastDecision.then(() => nextTurn());
    return this.lastDecision;
  }

  private async workOnSequel(plan: PlannedWorkflow, afterMs: number, now: Date): Promise<Date> {
    plan.next = null;
    await this.isStarted(plan, async () => {
      const start = startAfter(afterMs, await this.starts.findLastRun(plan.name), now);
      if (start !== null && start.at <= now) return this.starts.start(plan, start.name);
      plan.next = start?.at ?? null;
    });
    return plan.next ?? new Date(now.getTime() + CHECK_AGAIN_MS);
  }

  /** Returns false when it should be retried. A workflow that cannot be started because of its definition is only logged. */
  private async isStarted({ name }: PlannedWorkflow, start: () => Promise<void>): Promise<boolean> {
    try {
      await start();
      return true;
    } catch (error) {
      const isLasting = error instanceof AppError && error.kind !== 'unavailable';
      const message = error instanceof Error ? error.message : String(error);
      this.logger.warn(`the schedule of the workflow ${name} could not start a run: ${message}`);
      return isLasting;
    }
  }

  private logSkipped(name: string, { count, isMore }: TickCount): void {
    if (count === 0) return;
    const skipped = `${isMore ? 'more than ' : ''}${count} scheduled ${count === 1 && !isMore ? 'run' : 'runs'}`;
    this.logger.warn(`skipped ${skipped} of ${name}: nothing could be started at that time`);
  }

  /** Serialises work, so that changes cannot overtake each other. A failure is logged, and everything is planned again. */
  private inTurn(work: () => Promise<void>): void {
    this.lastTurn = this.lastTurn.then(work).catch((error: unknown) => {
      this.logger.error(error);
      this.alarm(new Date(this.clock.now().getTime() + RETRY_MS), () => this.plan());
    });
  }

  private alarm(time: Date, work: () => Promise<void>): void {
    this.cancelAlarm();
    if (!this.isStopped) this.cancelAlarm = this.clock.at(time, () => this.inTurn(work));
  }
}
