import { ANSWER_EVENT, type Task, type TaskList, type WorkflowDefinition } from '#open-workflow';

/** Returns the types of the events that a workflow listens for; `*` when one of them is only known in a run. */
export function listenedTypes({ do: tasks, use }: WorkflowDefinition): string[] {
  const types = new Set<string>();
  const walkList = (list: TaskList) => list.forEach((item) => Object.values(item).forEach(walk));
  const walk = (task: Task): void => {
    if ('listen' in task) {
      const { type } = task.listen.to.one.with;
      // Texts may be regular expressions, or written with runtime expressions.
      types.add(type !== undefined && /^[\w.\-/:]+$/.test(type) ? type : '*');
    }
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
