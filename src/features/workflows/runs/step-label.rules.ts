/** The outermost task of a step, by its number in the definition; the names of steps begin with it. */
const OUTERMOST = /^\/do\/(\d{1,6})\//;

/** Returns the name that people gave the task of a step, and which repetition of it the step is: `save (2.1)`. */
export function stepLabel({ name, task }: { name: string; task: string }): string {
  const last = task.slice(task.lastIndexOf('/') + 1);
  const label = last.replaceAll('~1', '/').replaceAll('~0', '~') || name;
  const repetition = [...name.matchAll(/#(\d+)/g)].map(([, number]) => number).join('.');
  return repetition === '' ? label : `${label} (${repetition})`;
}

/** Returns which of the outermost tasks a step belongs to, from 0; null when it is a step of no such task. */
export function outermostTask(name: string): number | null {
  const found = OUTERMOST.exec(name)?.[1];
  return found === undefined ? null : Number(found);
}
