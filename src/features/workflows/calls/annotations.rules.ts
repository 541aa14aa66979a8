import type { Task, TaskList, WorkflowDefinition } from '#open-workflow';
import type { SkillAnnotations } from '#skill-kit';

type Annotations = Required<SkillAnnotations>;

/** Of what nothing is known, as MCP has it (specification 2026-07-28, server/tools, ToolAnnotations). */
const UNKNOWN: Annotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
/** Of tasks that only handle data. */
const HARMLESS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Of HTTP requests by method (RFC 9110, 9.2); of any other method, nothing is known. */
const REQUESTS: Record<string, Annotations> = {
  get: { ...HARMLESS, openWorldHint: true },
  head: { ...HARMLESS, openWorldHint: true },
  options: { ...HARMLESS, openWorldHint: true },
  put: { ...UNKNOWN, idempotentHint: true },
  delete: { ...UNKNOWN, idempotentHint: true },
};

/**
 * Returns the annotations of a workflow's tool: what `metadata.annotations` says, and otherwise what follows from what it calls.
 * @param ofSkill returns the annotations of a skill; undefined when it is not known
 */
export function annotationsOf(
  definition: WorkflowDefinition,
  ofSkill: (name: string) => SkillAnnotations | undefined,
): Annotations {
  const said = definition.document.metadata?.['annotations'];
  const derived = effectsOf(definition, ofSkill).reduce(both, HARMLESS);
  return { ...derived, ...(typeof said === 'object' && said !== null && !Array.isArray(said) ? said : {}) };
}

const both = (one: Annotations, other: Annotations): Annotations => ({
  readOnlyHint: one.readOnlyHint && other.readOnlyHint,
  destructiveHint: one.destructiveHint || other.destructiveHint,
  idempotentHint: one.idempotentHint && other.idempotentHint,
  openWorldHint: one.openWorldHint || other.openWorldHint,
});

/** Returns the annotations of everything that a workflow calls. */
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

/** What changes nothing destroys nothing. */
function known(annotations: SkillAnnotations | undefined): Annotations {
  const all = { ...UNKNOWN, ...annotations };
  return all.readOnlyHint ? { ...all, destructiveHint: false, idempotentHint: true } : all;
}

const tasksIn = (list: TaskList | undefined): Task[] => (list ?? []).flatMap((entry) => Object.values(entry));

/** Returns the tasks inside a task. */
function within(task: Task): Task[] {
  if ('try' in task) return [...tasksIn(task.try), ...tasksIn(task.catch.do)];
  if ('fork' in task) return tasksIn(task.fork.branches);
  return 'do' in task ? tasksIn(task.do) : [];
}
