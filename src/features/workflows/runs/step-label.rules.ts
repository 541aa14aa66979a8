/** Matches the index of a step's outermost task in the definition, with which names of steps begin. */
const OUTERMOST = /^\/do\/(\d{1,6})\//;

/** Returns the name of a step's task, with the number of its repetition: `save (2.1)`. */
export function stepLabel({ name, task }: { name: string; task: string }): string {
  const last = task.slice(task.lastIndexOf('/') + 1);
  const label = last.replaceAll('~1', '/').replaceAll('~0', '~') || name;
  const repetition = [...name.matchAll(/#(\d+)/g)].map(([, number]) => number).join('.');
  return repetition === '' ? label : `${label} (${repetition})`;
}

/** Returns the index of a step's outermost task, from 0; null = none. */
export function outermostTask(name: string): number | null {
  const found = OUTERMOST.exec(name)?.[1];
  return found === undefined ? null : Number(found);
}
