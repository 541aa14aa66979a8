import type { FoundRun } from './fleet.js';
import { misdeeds, readMarks } from './marks.js';
import { SHAPES } from './shapes.js';

interface Ended {
  runs: FoundRun[];
  /** The number of runs of each shape that were started. */
  ofEachShape: number;
  marksFile: string;
  /** Processes that temporarily lost ownership of their runs without being killed: their steps may be repeated, too. */
  lostPids?: Set<number> | undefined;
}

/** Asserts that all runs have completed, and that each step was executed once, except for those interrupted by a kill. */
export function expectAllDoneOnce({ runs, ofEachShape, marksFile, lostPids }: Ended): void {
  const ends = runs.map(({ id, name, status, output, error }) => ({ id, name, status, output, error }));
  expect(ends).toEqual(
    runs.map(({ id, name }) => ({ id, name, status: 'completed', output: SHAPES[name].output, error: null })),
  );
  const shapes = Object.entries(SHAPES);
  // Each parent has a child.
  expect(runs).toHaveLength((shapes.length + 1) * ofEachShape);
  const marks = readMarks(marksFile);
  expect(misdeeds(marks, lostPids)).toEqual([]);
  const begun = marks.filter(({ phase }) => phase === 'begin').length;
  const steps = new Set(marks.filter(({ phase }) => phase === 'begin').map(({ key }) => key)).size;
  process.stdout.write(`${runs.length} runs, ${steps} steps, ${begun - steps} of them begun again\n`);
  expect(steps).toBe(shapes.reduce((sum, [, { marks: ofOne }]) => sum + ofOne, 0) * ofEachShape);
}
