import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { DocumentHead } from '#open-workflow';
import { AppError } from '../../../../platform/errors/app-error.js';
import { EventBus } from '../../../../platform/events/event-bus.service.js';
import { WorkflowDefinitions } from '../../definitions/workflow-definitions.service.js';
import { TriggerClock } from '../clock.js';
import {
  countTicks,
  dueTicks,
  type FixedTimetable,
  nextTick,
  startAfter,
  type TickCount,
  type Timetable,
  timetablesOf,
} from './schedule.rules.js';
import { ScheduledStarts } from './scheduled-starts.service.js';
import { TickStore } from './tick.store.js';

/** A workflow that is started at certain times. */
interface PlannedWorkflow {
  name: string;
  version: string;
  timetable: Timetable;
  /** When it is started next; null = it is not known yet, or there is no such time any more. */
  next: Date | null;
}

const RETRY_MS = 2_000;
const PLANS_AT_ONCE = 10;
/** How often runs that ended on another replica are looked for. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Starts workflows at the times of their schedules. Every replica does so by its own clock; the name of each start makes
 * one run of it. Times at which no replica was there to start anything are skipped.
 */
@Injectable()
export class Schedules implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Schedules.name);
  private planned = new Map<string, PlannedWorkflow>();
  private cancelAlarm: () => void = () => undefined;
  private stopListening: (() => void)[] = [];
  private lastTurn: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly starts: ScheduledStarts,
    private readonly ticks: TickStore,
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

  /** Resolves when everything that was begun is done. */
  settled(): Promise<void> {
    return this.lastTurn;
  }

  private async plan(): Promise<void> {
    const current = await this.definitions.listEnabled();
    const now = this.clock.now();
    const planned = new Map<string, PlannedWorkflow>();
    for (const { definition } of current) {
      const { name } = definition.document;
      for (const timetable of timetablesOf(definition)) {
        planned.set(`${name} ${timetable.kind}`, await this.planOf(definition.document, timetable, now));
      }
    }
    this.planned = planned;
    await this.work();
  }

  private async planOf({ name, version }: DocumentHead, timetable: Timetable, now: Date): Promise<PlannedWorkflow> {
    const before = this.planned.get(`${name} ${timetable.kind}`);
    const isSame = JSON.stringify(before?.timetable) === JSON.stringify(timetable);
    if (before && isSame) return { ...before, version };
    if (timetable.kind === 'after') return { name, version, timetable, next: null };
    if (!before) await this.tellMissed(name, timetable, now);
    return { name, version, timetable, next: nextTick(timetable, now) };
  }

  private async tellMissed(name: string, timetable: FixedTimetable, now: Date): Promise<void> {
    const last = await this.ticks.findLast(name);
    if (last) this.tellSkipped(name, countTicks(timetable, last, now), 'the service or the workflow was switched off');
  }

  /** Starts what is due, and sets the alarm for what comes next. */
  private async work(): Promise<void> {
    const now = this.clock.now();
    const plans = [...this.planned.values()];
    const nexts: (Date | null)[] = [];
    while (plans.length > 0 && !this.isStopped) {
      nexts.push(...(await Promise.all(plans.splice(0, PLANS_AT_ONCE).map((plan) => this.workOn(plan, now)))));
    }
    const next = Math.min(...nexts.map((time) => time?.getTime() ?? Infinity));
    if (next !== Infinity) this.alarm(new Date(next), () => this.work());
  }

  /** Returns when the plan is to be looked at again; null = never. */
  private workOn(plan: PlannedWorkflow, now: Date): Promise<Date | null> {
    const { timetable } = plan;
    return timetable.kind === 'after'
      ? this.workOnSequel(plan, timetable.afterMs, now)
      : this.workOnTicks(plan, timetable, now);
  }

  private async workOnTicks(plan: PlannedWorkflow, timetable: FixedTimetable, now: Date): Promise<Date | null> {
    if (plan.next === null || plan.next > now) return plan.next;
    const { start, skipped, next } = dueTicks(timetable, plan.next, now);
    this.tellSkipped(plan.name, skipped, 'nothing could be started at that time');
    for (const tick of start) {
      if (await this.isStarted(plan, () => this.starts.startAt(plan, tick))) continue;
      // Tried again until the rules say that it is too late.
      plan.next = tick;
      return new Date(now.getTime() + RETRY_MS);
    }
    plan.next = next;
    return next;
  }

  private async workOnSequel(plan: PlannedWorkflow, afterMs: number, now: Date): Promise<Date> {
    plan.next = null;
    await this.isStarted(plan, async () => {
      const start = startAfter(afterMs, await this.starts.findLastRun(plan.name), now);
      if (start !== null && start.at <= now) return this.starts.start(plan, start.name);
      plan.next = start?.at ?? null;
    });
    return plan.next ?? new Date(now.getTime() + LOOK_AGAIN_MS);
  }

  /** Returns false when it should be tried again. What cannot be started because of its definition is only logged. */
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

  private tellSkipped(name: string, { count, isMore }: TickCount, why: string): void {
    if (count === 0) return;
    const skipped = `${isMore ? 'more than ' : ''}${count} scheduled ${count === 1 && !isMore ? 'run' : 'runs'}`;
    this.logger.warn(`skipped ${skipped} of ${name}: due while ${why}`);
  }

  /** Does one thing after the other: changes must not overtake each other. A failure is logged, and all is planned anew. */
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
