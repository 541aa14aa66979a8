import { type CloudEvent, type EventTest, type EventWait, matchesEvent, type StepRef } from '#open-workflow';
import { hasOutcome } from '../step-outcome.js';
import type { StepRecord, StoredStep } from '../step.store.js';
import type { Branch } from './branch.js';
import type { KeptEvent } from './restate-run.store.js';

/** An event, or the last one that a still waiting step has checked. */
type Received = { event: CloudEvent; at: string } | { seen: number };

/** The events that a step of a run on Restate waits for. */
export class RestateEvents {
  private readonly seq: number;

  constructor(
    private readonly branch: Branch,
    private readonly step: StepRef,
    private readonly wait: EventWait,
    private readonly fits: EventTest | undefined,
  ) {
    this.seq = branch.nextSeq();
  }

  /** Takes the first matching event. If there is none, records that the step waits. @param seen events up to this one do not match */
  async listen(awakeable: string, seen: number, known: StoredStep | undefined): Promise<Received> {
    const { run, around } = this.branch;
    const { step, wait } = this;
    const record: StepRecord = {
      seq: this.seq,
      kind: wait.question ? 'question' : 'event',
      status: 'waiting',
      startedAt: known?.startedAt ?? new Date().toISOString(),
      wait: { event: wait, ...(this.fits && { isTested: true }) },
    };
    for (let checked = await this.check(seen); ; checked = await this.check(checked.seen)) {
      const at = new Date();
      const listening = { run, step, record, awakeable, found: checked.found, seen: checked.seen };
      const outcome = await around.runs.listen(listening, at);
      if (outcome === 'lost') await this.branch.lose();
      if (outcome === 'has news') continue;
      if (checked.found) {
        around.reports.stepEnded(run, step);
        return { event: checked.found.event, at: at.toISOString() };
      }
      await this.branch.rest(null);
      return { seen: checked.seen };
    }
  }

  /** True when the step itself checks the events of which it is notified. */
  get areTested(): boolean {
    return this.fits !== undefined && !this.wait.question;
  }

  async over(known: StoredStep | undefined): Promise<{ event: CloudEvent; at: string }> {
    const { run, around } = this.branch;
    if (!hasOutcome(known))
      throw new Error(`The step ${this.step.name} was notified of an event that has not arrived.`);
    await around.runs.markNotified(run.id, this.step.name);
    around.reports.stepEnded(run, this.step);
    return toEvent(known);
  }

  /** Checks the events that the run has kept, without holding the database meanwhile. */
  private async check(after: number): Promise<{ found?: KeptEvent; seen: number }> {
    // Answers are delivered directly to their step.
    if (this.wait.question) return { seen: Infinity };
    let seen = after;
    for (const kept of await this.branch.around.runs.listKept(this.branch.run.id, after)) {
      const isLike = matchesEvent(this.wait.with, kept.event);
      if (isLike && (!this.fits || (await this.fits(kept.event)))) return { found: kept, seen };
      seen = kept.seq;
    }
    return { seen };
  }
}

export const toEvent = ({ output, endedAt, startedAt }: StoredStep): { event: CloudEvent; at: string } => ({
  event: output as CloudEvent,
  at: endedAt ?? startedAt,
});
