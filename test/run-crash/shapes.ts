/** The workflows that are crashed: what each returns, and how many steps of it, and of its child, leave marks. */
export const SHAPES = {
  loop: { output: { done: 4 }, marks: 4 },
  forked: { output: { done: 2 }, marks: 6 },
  sleeper: { output: { done: 3 }, marks: 3 },
  // Three attempts of two steps, and the end.
  retried: { output: { done: 1 }, marks: 7 },
  listener: { output: { done: 2 }, marks: 2 },
  ringer: { output: { done: 2 }, marks: 2 },
  parent: { output: { done: 2 }, marks: 2 + 4 },
  limited: { output: { slow: 408, broken: 500, quick: 3 }, marks: 3 },
  asker: { output: { expired: 408, answer: { go: true } }, marks: 3 },
  // Three attempts, two that are given up, and the end.
  'timed-calls': { output: { got: 3, gaveUp: 408 }, marks: 6 },
} as const;

export type Shape = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES) as Shape[];
