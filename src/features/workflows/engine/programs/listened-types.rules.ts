import { ANSWER_EVENT, type Task, type TaskList, type WorkflowDefinition } from '#open-workflow';
import { asPattern } from '../listened-pattern.rules.js';

/** Longer ones match nothing, and cannot be keys of tables. */
const LONGEST_PATTERN = 500;

/** Returns the types of the events that a workflow listens for, including patterns; `*` when one of them is known only at run time. */
export function listenedTypes({ do: tasks, use, evaluate }: WorkflowDefinition): string[] {
  const isLoose = evaluate?.mode === 'loose';
  const types = new Set<string>();
  const walkList = (list: TaskList) => list.forEach((item) => Object.values(item).forEach(walk));
  const walk = (task: Task): void => {
    if ('listen' in task) types.add(typeOf(task.listen.to.one.with.type, isLoose));
    if ('fork' in task) walkList(task.fork.branches);
    if ('try' in task) walkList([...task.try, ...(task.catch.do ?? [])]);
    if ('do' in task) walkList(task.do);
  };
  walkList(tasks);
  Object.values(use?.functions ?? {}).forEach(walk);
  // Answers are addressed to a run.
  types.delete(ANSWER_EVENT);
  return [...types];
}

/** @param isLoose true when texts without `${ }` are also evaluated */
function typeOf(type: string | undefined, isLoose: boolean): string {
  if (type === undefined) return '*';
  if (/^[\w.\-/:]+$/.test(type)) return type;
  return isLoose || type.includes('${') || type.length > LONGEST_PATTERN ? '*' : asPattern(type);
}
