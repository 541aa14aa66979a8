/** The workflows under test: the output of each, and how many of its steps, and of its child's, leave marks. */
export const SHAPES = {
  loop: { output: { done: 4 }, marks: 4 },
  forked: { output: { done: 2 }, marks: 6 },
  sleeper: { output: { done: 3 }, marks: 3 },
  // Three attempts of two steps, and the final step.
  retried: { output: { done: 1 }, marks: 7 },
  listener: { output: { done: 2 }, marks: 2 },
  ringer: { output: { done: 2 }, marks: 2 },
  parent: { output: { done: 2 }, marks: 2 + 4 },
  limited: { output: { slow: 408, broken: 500, quick: 3 }, marks: 3 },
  asker: { output: { expired: 408, answer: { go: true } }, marks: 3 },
  // Three attempts, two that time out, and the final step.
  'timed-calls': { output: { got: 3, gaveUp: 408 }, marks: 6 },
} as const;

export type Shape = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES) as Shape[];
