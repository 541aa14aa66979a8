import { appendFileSync, readFileSync } from 'node:fs';

/** Records that a step started or ended, written by the step itself, or that a process is about to be killed. */
export interface Mark {
  /** Run and name of the step, from its idempotency key; empty = a kill. */
  key: string;
  /** Marks of one lane of a run must appear in the order of their numbers. */
  lane: string;
  order: number;
  phase: 'begin' | 'end' | 'kill';
  pid: number;
}

/**
 * Writes a mark that survives an immediate kill of the process. A kill during the write leaves a partial line: the leading
 * line break separates it from the next mark.
 */
export function writeMark(file: string, mark: Mark): void {
  appendFileSync(file, `\n${JSON.stringify(mark)}\n`);
}

export function readMarks(file: string): Mark[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Mark);
}

/**
 * Returns violations in the marks. A step may be repeated only after a kill of the process that has begun it.
 * @param lostPids processes that temporarily lost ownership of their runs without being killed: their steps may be repeated,
 * too
 */
export function misdeeds(marks: readonly Mark[], lostPids = new Set<number>()): string[] {
  const killedPids = new Set<number>();
  const found: string[] = [];
  const last = new Map<string, Mark>();
  const highest = new Map<string, number>();
  for (const mark of marks) {
    if (mark.phase === 'kill') killedPids.add(mark.pid);
    if (mark.phase !== 'begin') continue;
    const before = last.get(mark.key);
    if (before && !killedPids.has(before.pid) && !lostPids.has(before.pid))
      found.push(`${mark.key} was begun again, but the process ${before.pid} was not killed in the middle of it`);
    last.set(mark.key, mark);
    const lane = `${mark.key.split(':')[0]} ${mark.lane}`;
    const reached = highest.get(lane) ?? 0;
    if (mark.order < reached) found.push(`${mark.key} was begun again after the step that follows it`);
    highest.set(lane, Math.max(reached, mark.order));
  }
  return found;
}
