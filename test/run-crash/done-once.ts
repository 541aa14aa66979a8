import type { Fleet, FoundRun } from './fleet.js';
import { misdeeds, readMarks } from './marks.js';

interface Ended {
  runs: FoundRun[];
  /** How many runs of each shape were started. */
  ofEachShape: number;
  marksFile: string;
  processes: Fleet;
  /** Processes that lost their runs for a time without being killed: their steps may be repeated, too. */
  lostPids?: Set<number> | undefined;
}

/** Expects that all runs have ended well, and that each step was done once, but for those that a kill has hit. */
export function expectAllDoneOnce({ runs, ofEachShape, marksFile, processes, lostPids }: Ended): void {
  const strange = runs.filter(({ status }) => status !== 'completed');
  expect(strange).toEqual([]);
  // Each parent has a child.
  expect(runs).toHaveLength(8 * ofEachShape);
  const marks = readMarks(marksFile);
  expect(misdeeds(marks, processes.killedPids, lostPids)).toEqual([]);
  const begun = marks.filter(({ phase }) => phase === 'begin').length;
  const steps = new Set(marks.map(({ key }) => key)).size;
  process.stdout.write(`${runs.length} runs, ${steps} steps, ${begun - steps} of them begun again\n`);
  // 4 of a loop and of a parent's child, 6, 3, 3 x 2 + 1, 2, 2, 2
  expect(steps).toBe((4 + 4 + 6 + 3 + 7 + 2 + 2 + 2) * ofEachShape);
}
