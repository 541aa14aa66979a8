import type { NodeState } from '../../components/diagram/node-states';
import type { RunStep, RunSummary } from './use-runs';

/** The steps of one action: one for each attempt. */
export interface StepGroup {
  /** Name of the step, without the attempt. */
  key: string;
  /** Name of the task, such as `fetch`. */
  label: string;
  /** The repetition, such as `iteration 2`; null = the only one. */
  repetition: string | null;
  steps: RunStep[];
}

/** A span of the time of a run, in percent. */
export interface Span {
  begin: number;
  length: number;
}

// Keeps the bar of a very short step visible.
const SHORTEST_PERCENT = 0.6;

/** Groups the steps of a run, which are in the order of their start. */
export function groupsOf(steps: readonly RunStep[]): StepGroup[] {
  const groups = new Map<string, StepGroup>();
  for (const step of steps) {
    const key = step.name.replace(/~\d+/g, '');
    const group = groups.get(key) ?? { key, label: labelOf(step), repetition: repetitionOf(step.name), steps: [] };
    group.steps.push(step);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns the name of the task of a step: the last part of its JSON Pointer. */
export function labelOf({ task, name }: Pick<RunStep, 'task' | 'name'>): string {
  const last = task.split('/').at(-1);
  return last ? last.replaceAll('~1', '/').replaceAll('~0', '~') : name;
}

/** Returns the repetition of a step of its task: `#2` means iteration 2, `@3` the third visit. */
function repetitionOf(name: string): string | null {
  const numbers = (mark: string) => [...name.matchAll(new RegExp(`${mark}(\\d+)`, 'g'))].map(([, number]) => number);
  const parts = [
    ['iteration', numbers('#')],
    ['visit', numbers('@')],
  ] as const;
  const named = parts.filter(([, found]) => found.length > 0).map(([noun, found]) => `${noun} ${found.join('.')}`);
  return named.length > 0 ? named.join(', ') : null;
}

/** Returns the span of a step, within the time of its run until now. */
export function spanOf(step: RunStep, run: RunSummary, now: Date): Span {
  const from = Date.parse(run.createdAt);
  const total = Math.max(1, timeOr(run.endedAt, now) - from);
  const percent = (time: number) => Math.min(100, Math.max(0, ((time - from) / total) * 100));
  const begin = Math.min(percent(Date.parse(step.startedAt)), 100 - SHORTEST_PERCENT);
  return { begin, length: Math.max(SHORTEST_PERCENT, percent(timeOr(step.endedAt, now)) - begin) };
}

/** Returns how long a step has taken so far. */
export const durationOf = (step: Pick<RunStep, 'startedAt' | 'endedAt'>, now: Date): number =>
  Math.max(0, timeOr(step.endedAt, now) - Date.parse(step.startedAt));

const timeOr = (at: string | null, now: Date): number => (at === null ? now.getTime() : Date.parse(at));

export function stateOf(step: RunStep): NodeState {
  if (step.status === 'started') return 'running';
  if (step.status === 'waiting') return step.question ? 'asking' : 'waiting';
  return step.status;
}
