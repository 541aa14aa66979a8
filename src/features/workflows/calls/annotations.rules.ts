import { isObject } from '#bounded-json';
import type { Task, TaskList, WorkflowDefinition } from '#open-workflow';
import type { SkillAnnotations } from '#skill-kit';

type Annotations = Required<SkillAnnotations>;

/** The MCP defaults for unknown effects (specification 2026-07-28, server/tools, ToolAnnotations). */
const UNKNOWN: Annotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
/** The annotations of tasks that only handle data. */
const HARMLESS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** The annotations of HTTP requests by method (RFC 9110, 9.2); other methods have unknown effects. */
const REQUESTS: Record<string, Annotations> = {
  get: { ...HARMLESS, openWorldHint: true },
  head: { ...HARMLESS, openWorldHint: true },
  options: { ...HARMLESS, openWorldHint: true },
  put: { ...UNKNOWN, idempotentHint: true },
  delete: { ...UNKNOWN, idempotentHint: true },
};

/**
 * Returns the annotations of a workflow's tool: from `metadata.annotations`, or else derived from what it calls.
 * @param ofSkill returns the annotations of a skill; undefined when the skill is unknown
 */
export function annotationsOf(
  definition: WorkflowDefinition,
  ofSkill: (name: string) => SkillAnnotations | undefined,
): Annotations {
  const declared = definition.document.metadata?.['annotations'];
  const derived = effectsOf(definition, ofSkill).reduce(both, HARMLESS);
  return {
    ...derived,
    ...(isObject(declared) ? declared : {}),
  };
}

const both = (one: Annotations, other: Annotations): Annotations => ({
  readOnlyHint: one.readOnlyHint && other.readOnlyHint,
  destructiveHint: one.destructiveHint || other.destructiveHint,
  idempotentHint: one.idempotentHint && other.idempotentHint,
  openWorldHint: one.openWorldHint || other.openWorldHint,
});

function effectsOf(
  { do: tasks, use, document }: WorkflowDefinition,
  ofSkill: (name: string) => SkillAnnotations | undefined,
): Annotations[] {
  const functions = new Map(Object.entries(use?.functions ?? {}));
  const left: Task[] = tasksIn(tasks);
  const effects: Annotations[] = [];
  for (let task = left.pop(); task !== undefined; task = left.pop()) {
    for (const inner of within(task)) left.push(inner);
    if ('emit' in task) effects.push(UNKNOWN); // it may start anything
    if ('run' in task && task.run.workflow.name !== document.name) effects.push(known(ofSkill(task.run.workflow.name)));
    if (!('call' in task)) continue;
    const own = functions.get(task.call);
    functions.delete(task.call); // once is enough
    if (own) left.push(own);
    else if (task.call === 'http') effects.push(REQUESTS[methodOf(task.with)] ?? UNKNOWN);
    else if (!Object.hasOwn(use?.functions ?? {}, task.call)) effects.push(known(ofSkill(task.call)));
  }
  return effects;
}

const methodOf = (args: object | undefined): string => {
  const method = args && 'method' in args ? args.method : '';
  return typeof method === 'string' ? method.toLowerCase() : '';
};

/** A read-only skill is never destructive. */
function known(annotations: SkillAnnotations | undefined): Annotations {
  const all = { ...UNKNOWN, ...annotations };
  return all.readOnlyHint ? { ...all, destructiveHint: false, idempotentHint: true } : all;
}

const tasksIn = (list: TaskList | undefined): Task[] => (list ?? []).flatMap((entry) => Object.values(entry));

function within(task: Task): Task[] {
  if ('try' in task) return [...tasksIn(task.try), ...tasksIn(task.catch.do)];
  if ('fork' in task) return tasksIn(task.fork.branches);
  return 'do' in task ? tasksIn(task.do) : [];
}
