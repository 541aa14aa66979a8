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
  const isEnded = (one: string) => one !== task && !task.startsWith(`${one}/`);
  const firstChange = (pointers: string[]) =>
    pointers.find((one) => !isDeepStrictEqual(resolvePointer(before, one), resolvePointer(after, one)));
  const ended = done.filter(isEnded);
  const parts: unknown[] = ended.map((one) => callOf(one) ?? resolvePointer(before, one));
  const compared = { before, after, at: '', later: LATER_IN_WORKFLOW, parts };
  return (
    firstChange(['/use/retries', ...ended]) ??
    differenceOnTheWay(compared, segmentsOf(task)) ??
    firstChange(functionsCalledIn(parts, before).filter(isEnded)) ??
    null
  );
}

/** Returns the call of the function that a task is a part of, if it is. */
function callOf(task: string): object | undefined {
  const [root, , name] = segmentsOf(task);
  return root === 'use' ? { call: name } : undefined;
}

/** Returns JSON Pointers of the functions that parts of a workflow call, and of those that these call. */
function functionsCalledIn(parts: readonly unknown[], { use: { functions = {} } = {} }: WorkflowDefinition): string[] {
  const called = new Set<string>();
  const left = [...parts];
  while (left.length > 0) {
    const part = left.pop();
    if (!isObject(part)) continue;
    left.push(...(Object.values(part) as unknown[]));
    const name = 'call' in part && typeof part.call === 'string' ? part.call : '';
    if (called.has(name) || !Object.hasOwn(functions, name)) continue;
    called.add(name);
    left.push(functions[name]);
  }
  return [...called].map((name) => pointerTo('/use/functions', name));
}

interface Compared {
  before: object;
  after: object;
  /** JSON Pointer of the compared part. */
  at: string;
  /** Properties that may differ. */
  later: readonly string[];
  /** Receives the parts that do not differ. */
  parts: unknown[];
}

function differenceOnTheWay(compared: Compared, [key, ...rest]: readonly string[]): string | null {
  const { before, after, at, later, parts } = compared;
  if (key === undefined) return null;
  const matters = Array.isArray(before)
    ? (name: string) => Number(name) < Number(key)
    : (name: string) => !later.includes(name) && !(key === 'try' && name === 'catch');
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete(key);
  for (const name of [...names].filter(matters)) {
    const part = resolvePointer(before, pointerTo('', name));
    if (!isDeepStrictEqual(part, resolvePointer(after, pointerTo('', name)))) return pointerTo(at, name);
    parts.push(part);
  }
  const [one, other] = [before, after].map((whole) => resolvePointer(whole, pointerTo('', key)));
  const place = pointerTo(at, key);
  if (!isObject(one) || !isObject(other)) return place;
  return differenceOnTheWay({ before: one, after: other, at: place, later: LATER, parts }, rest);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
