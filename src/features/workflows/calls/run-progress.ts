import type { StepProgress } from '#open-workflow';
import type { FollowedStep } from '../runs/run-followers.service.js';
import { outermostTask, stepLabel } from '../runs/step-label.rules.js';

/**
 * Share of the rest by which a repeated task advances the progress, because progress has to grow (specification 2026-07-28,
 * basic/utilities/progress).
 */
const AGAIN = 0.01;
/** Number of parts of a name such as `/do/0/collect`, split at the slashes. */
const OUTERMOST_PARTS = 4;
/** The wait before another attempt. */
const RETRY = /\/retry~\d+$/;

/**
 * The progress of a run: the number of its ended outermost tasks, plus a fraction for the current one that grows with each of its
 * steps. A skill reports its progress itself.
 */
export class RunProgress {
  private reached = 0;
  private current = -1; // the outermost task of the last step
  private steps = 0; // of the current task

  /** @param tasks names of the outermost tasks, in order; none for a skill */
  constructor(private readonly tasks: readonly string[]) {}

  /** Returns the progress to report after a step has ended, or has reported its progress; null when there is no news. */
  after(step: FollowedStep, report?: StepProgress): StepProgress | null {
    const total = this.tasks.length;
    if (total === 0) return report ?? null;
    const index = outermostTask(step.name);
    const outermost = index === null ? undefined : this.tasks[index];
    if (index === null || outermost === undefined || this.reached >= total) return null;
    const isWhole = !report && step.name.split('/').length === OUTERMOST_PARTS && !step.name.includes('?');
    this.reached = Math.max(this.placeIn(index, isWhole), this.reached + (total - this.reached) * AGAIN);
    return {
      progress: this.reached,
      total,
      message: `${messageOf(step, outermost, isWhole, report)} (${index + 1} of ${total})`,
    };
  }

  private placeIn(index: number, isWhole: boolean): number {
    this.steps = index === this.current ? this.steps + 1 : 1;
    this.current = index;
    return isWhole ? index + 1 : index + this.steps / (this.steps + 1);
  }
}

function messageOf(step: FollowedStep, outermost: string, isWhole: boolean, report?: StepProgress): string {
  if (isWhole) return `Finished ${outermost}`;
  const label = stepLabel(step);
  const named = label === outermost ? label : `${label} in ${outermost}`;
  if (report) return `${named}: ${report.message ?? amountOf(report)}`;
  if (step.name.includes('?')) return `Got an answer for ${named}`;
  return RETRY.test(step.name) ? `Tries ${named} again` : `Finished ${named}`;
}

const amountOf = ({ progress, total }: StepProgress): string =>
  total === undefined ? `${progress}` : `${progress} of ${total}`;
