import { ANSWER_EVENT, type Task, type TaskList, type WorkflowDefinition } from '#open-workflow';
import { asPattern } from '../listened-pattern.rules.js';

/** Longer ones match nothing, and are no keys of tables. */
const LONGEST_PATTERN = 500;

/** Returns the types of the events that a workflow listens for, patterns among them; `*` when one of them is only known in a run. */
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

/** @param isLoose whether texts are evaluated that are not enclosed by `${ }` */
function typeOf(type: string | undefined, isLoose: boolean): string {
  if (type === undefined) return '*';
  if (/^[\w.\-/:]+$/.test(type)) return type;
  return isLoose || type.includes('${') || type.length > LONGEST_PATTERN ? '*' : asPattern(type);
}
