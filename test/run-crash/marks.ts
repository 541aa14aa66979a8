import { appendFileSync, readFileSync } from 'node:fs';

/** That a step began or ended, as the step itself wrote it down. */
export interface Mark {
  /** Run and name of the step, by its idempotency key. */
  key: string;
  /** Marks of one lane of a run come in the order of their numbers. */
  lane: string;
  order: number;
  phase: 'begin' | 'end';
  pid: number;
}

/**
 * Writes a mark that is there even if the process is killed at once. A kill in the middle leaves a part of it: the line break
 * before keeps the next mark apart.
 */
export function writeMark(file: string, mark: Mark): void {
  appendFileSync(file, `\n${JSON.stringify(mark)}\n`);
}

export function readMarks(file: string): Mark[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Mark);
}

/**
 * Returns what steps did that they must not do, given the processes that were killed.
 * @param lostPids processes that lost their runs for a time without being killed: their steps may be repeated, too
 */
export function misdeeds(
  marks: readonly Mark[],
  killedPids: ReadonlySet<number>,
  lostPids = new Set<number>(),
): string[] {
  const found: string[] = [];
  const last = new Map<string, Mark>();
  const highest = new Map<string, number>();
  for (const mark of marks) {
    if (mark.phase === 'end') continue;
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
