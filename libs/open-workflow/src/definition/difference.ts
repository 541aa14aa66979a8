import { isDeepStrictEqual } from 'node:util';
import { pointerTo, resolvePointer, segmentsOf } from '../json-pointer.js';
import type { WorkflowDefinition } from '../model.js';

/** A task at which a run continues, and the tasks completed before it. */
export interface Continuation {
  /** JSON Pointer of the task. */
  task: string;
  /** JSON Pointers of the tasks whose results are kept. */
  done: readonly string[];
}

/** Properties that take effect only after the nested tasks have ended, or do not affect them. */
const LATER = ['output', 'export', 'then', 'timeout', 'metadata'];
const LATER_IN_WORKFLOW = ['document', 'output', 'schedule', 'timeout', 'use'];

/**
 * Returns the first difference between two versions of a workflow on the path to a task, as a JSON Pointer: because of it,
 * results of one version are not valid in the other. Null = none. The task itself and whatever comes after it may differ.
 */
export function differenceBefore(
  before: WorkflowDefinition,
  after: WorkflowDefinition,
  { task, done }: Continuation,
): string | null {
  const ended = done.filter((one) => one !== task && !task.startsWith(`${one}/`));
  const changed = ['/use/retries', ...ended].find(
    (one) => !isDeepStrictEqual(resolvePointer(before, one), resolvePointer(after, one)),
  );
  return changed ?? differenceOnTheWay({ before, after, at: '', later: LATER_IN_WORKFLOW }, segmentsOf(task));
}

interface Compared {
  before: object;
  after: object;
  /** JSON Pointer of the compared part. */
  at: string;
  /** Properties that may differ. */
  later: readonly string[];
}

function differenceOnTheWay(compared: Compared, [key, ...rest]: readonly string[]): string | null {
  const { before, after, at, later } = compared;
  if (key === undefined) return null;
  const matters = Array.isArray(before)
    ? (name: string) => Number(name) < Number(key)
    : (name: string) => !later.includes(name) && !(key === 'try' && name === 'catch');
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete(key);
  for (const name of names) {
    if (
      matters(name) &&
      !isDeepStrictEqual(resolvePointer(before, pointerTo('', name)), resolvePointer(after, pointerTo('', name)))
    )
      return pointerTo(at, name);
  }
  const [one, other] = [before, after].map((whole) => resolvePointer(whole, pointerTo('', key)));
  const place = pointerTo(at, key);
  if (!isObject(one) || !isObject(other)) return place;
  return differenceOnTheWay({ before: one, after: other, at: place, later: LATER }, rest);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
