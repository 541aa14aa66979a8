import type { Json } from '#open-workflow';

/** So short and so long that the order is certain. */
export const [SOON, LATE] = ['timeout: { after: { milliseconds: 50 } }', 'timeout: { after: PT1H }'];
const RETRY = 'catch: { retry: { limit: { attempt: { count: 5 } } } }';
/** Short in the first and the second attempt; the number of the attempt is the input of the task. */
const IN_THIRD = `timeout: { after: '\${ if . < 3 then "PT0.05S" else "PT1H" end }' }`;
/** The second attempt is in progress while the first is cleaned up. */
const LONGER_IN_SECOND = `timeout: { after: '\${ if . == 1 then "PT0.05S" else "PT0.5S" end }' }`;

const ATTEMPTS = [
  '{ number: { call: count } }',
  `{ b: { if: '\${ . == 1 }', wait: PT1H, ${SOON} } }`,
  `{ c: { if: '\${ . == 2 }', call: fail, ${LATE} } }`,
  `{ d: { call: answer, ${LATE} } }`,
].join();

/** The tests name no step that a timeout ends: whether it has started is a matter of timing. */
type Status = 'completed' | 'failed';

/** Asks a person, with a message that a thread evaluates. */
export const ASKS = `listen: { to: { one: { with: { type: person.answered } } } }, metadata: { question: { message: '\${ ["Go", "?"] | add }', schema: { type: object, properties: { go: { type: boolean } } } } }`;

/** A workflow, its expected end, and the expected ends of the steps listed here, named without the leading `/do`. */
export interface TimeoutCase {
  title: string;
  text: string;
  ends: object;
  steps: Record<string, Status>;
}

const timedOut = (instance: string) => ({
  status: 'failed',
  error: { type: expect.stringMatching(/\/timeout$/) as string, status: 408, instance },
});
const broken = (instance: string) => ({ status: 'failed', error: { status: 500, detail: 'broken', instance } });
const gives = (output: Json) => ({ status: 'completed', output });

export const CASES: TimeoutCase[] = [
  {
    title: 'a wait',
    text: `do: [{ a: { wait: PT1H, ${SOON} } }]`,
    ends: timedOut('/do/0/a'),
    steps: { '/0/a/timeout': 'completed' },
  },
  {
    title: 'a call',
    text: `do: [{ a: { call: hang, ${SOON} } }]`,
    ends: timedOut('/do/0/a'),
    steps: { '/0/a/timeout': 'completed' },
  },
  {
    title: 'an event that does not come',
    text: `do: [{ a: { listen: { to: { one: { with: { type: rain } } } }, ${SOON} } }]`,
    ends: timedOut('/do/0/a'),
    steps: { '/0/a/timeout': 'completed' },
  },
  {
    title: 'another workflow',
    text: `do: [{ a: { run: { workflow: { namespace: test, name: endless } }, ${SOON} } }]`,
    ends: timedOut('/do/0/a'),
    steps: { '/0/a/timeout': 'completed' },
  },
  {
    title: 'what ends before',
    text: `do: [{ a: { call: answer, ${LATE} } }, { b: { set: { all: '\${ . }' } } }]`,
    ends: gives({ all: 'answer' }),
    steps: { '/0/a': 'completed', '/0/a/timeout': 'completed' },
  },
  {
    title: 'what fails before',
    text: `do: [{ a: { call: fail, ${LATE} } }]`,
    ends: broken('/do/0/a'),
    steps: { '/0/a': 'failed', '/0/a/timeout': 'completed' },
  },
  {
    title: 'tasks of which one fails before, with a branch that waits',
    text: `do: [{ a: { ${LATE}, do: [{ b: { fork: { branches: [{ c: { wait: PT1H } }, { d: { call: fail } }] } } }] } }]`,
    ends: broken('/do/0/a/do/0/b/fork/branches/1/d'),
    steps: { '/0/a/timeout': 'completed', '/0/a/do/0/b': 'completed' },
  },
  {
    title: 'attempts, of which one is too slow, and one fails',
    text: `do: [{ a: { try: [${ATTEMPTS}], ${RETRY} } }]`,
    ends: gives('answer'),
    steps: {
      '/0/a/try/1/b/timeout': 'completed',
      '/0/a/try/2/c~2': 'failed',
      '/0/a/try/2/c~2/timeout': 'completed',
      '/0/a/try/3/d~3/timeout': 'completed',
    },
  },
  {
    title: 'attempts as a whole',
    text: `do: [{ a: { ${SOON}, try: [{ b: { call: fail } }], catch: { retry: { delay: PT1H } } } }]`,
    ends: timedOut('/do/0/a'),
    steps: { '/0/a/timeout': 'completed' },
  },
  {
    title: 'a task within one that has more time, which goes on',
    text: `do: [{ a: { ${LATE}, do: [{ b: { try: [{ c: { wait: PT1H, ${SOON} } }], catch: { do: [{ d: { call: answer } }] } } }] } }]`,
    ends: gives('answer'),
    steps: {
      '/0/a/timeout': 'completed',
      '/0/a/do/0/b/try/0/c/timeout': 'completed',
      '/0/a/do/0/b/catch/do/0/d': 'completed',
    },
  },
  {
    title: 'tasks within which one has more time',
    text: `do: [{ a: { ${SOON.replace('50', '500')}, do: [{ b: { wait: PT1H, ${LATE} } }] } }]`,
    ends: timedOut('/do/0/a'),
    steps: { '/0/a/timeout': 'completed' },
  },
  {
    title: 'rounds of a loop, of which a later one fails',
    text: `do: [{ a: { for: { in: '\${ [range(12)] }' }, do: [{ b: { ${LATE}, do: [{ c: { if: '\${ $index == 11 }', call: fail } }, { d: { call: answer } }] } }] } }]`,
    ends: broken('/do/0/a/do/0/b/do/0/c'),
    steps: { '/0/a/do/0/b#1/timeout': 'completed', '/0/a/do/0/b#11/timeout': 'completed' },
  },
  {
    title: 'a branch, beside one that waits with a time of its own',
    text: `do: [{ a: { fork: { branches: [{ b: { wait: PT1H, ${LATE} } }, { c: { wait: PT1H, ${SOON} } }] } } }]`,
    ends: timedOut('/do/0/a/fork/branches/1/c'),
    steps: { '/0/a': 'completed', '/0/a/fork/branches/1/c/timeout': 'completed' },
  },
  {
    title: 'branches, of which the slower one loses',
    text: `do: [{ a: { fork: { compete: true, branches: [{ b: { wait: PT1H, ${LATE} } }, { c: { call: answer, ${LATE} } }] } } }]`,
    ends: gives('answer'),
    steps: { '/0/a': 'completed', '/0/a/fork/branches/1/c/timeout': 'completed' },
  },
  {
    title: 'a branch that goes on, as the others do',
    text: `do: [{ a: { fork: { branches: [{ b: { try: [{ c: { wait: PT1H, ${SOON} } }], catch: { do: [{ d: { set: { status: '\${ $error.status }' } } }] } } }, { e: { call: answer, ${LATE} } }] } } }]`,
    ends: gives([{ status: 408 }, 'answer']),
    steps: {
      '/0/a': 'completed',
      '/0/a/fork/branches/0/b/try/0/c/timeout': 'completed',
      '/0/a/fork/branches/1/e': 'completed',
    },
  },
  {
    title: 'a call in each round of a loop',
    text: `do: [{ a: { for: { in: '\${ [range(11)] }' }, do: [{ b: { try: [{ c: { call: hang, timeout: { after: { milliseconds: 5 } } } }], catch: { do: [{ d: { set: { last: '\${ $index }' } } }] } } }] } }]`,
    ends: gives({ last: 10 }),
    steps: { '/0/a/do/0/b#1/try/0/c/timeout': 'completed', '/0/a/do/0/b#10/try/0/c/timeout': 'completed' },
  },
  {
    title: 'a question that nobody answers',
    text: `do: [{ a: { ${ASKS}, ${SOON} } }]`,
    ends: timedOut('/do/0/a'),
    steps: { '/0/a/timeout': 'completed' },
  },
  {
    title: 'a call in attempts, of which the last is in time',
    text: `do: [{ a: { try: [{ n: { call: count } }, { b: { call: unlessThird, with: { n: '\${ . }' }, ${IN_THIRD} } }], ${RETRY} } }]`,
    ends: gives('unlessThird'),
    steps: {
      '/0/a/try/1/b/timeout': 'completed',
      '/0/a/try/1/b~2/timeout': 'completed',
      '/0/a/try/1/b~3': 'completed',
      '/0/a/try/1/b~3/timeout': 'completed',
    },
  },
  {
    title: 'a call in attempts, of which none is in time',
    text: `do: [{ a: { try: [{ b: { call: hang, ${SOON} } }], catch: { retry: { limit: { attempt: { count: 2 } } }, do: [{ c: { set: { gaveUp: '\${ $error.status }' } } }] } } }]`,
    ends: gives({ gaveUp: 408 }),
    steps: {
      '/0/a/try/0/b/timeout': 'completed',
      '/0/a/try/0/b~2/timeout': 'completed',
      '/0/a/try/0/b~3/timeout': 'completed',
    },
  },
  {
    title: 'attempts, of which the first goes on after its time while the second is under way',
    text: `do: [{ a: { try: [{ n: { call: count } }, { b: { call: deaf, ${LONGER_IN_SECOND} } }], catch: { retry: { limit: { attempt: { count: 1 } } }, do: [{ c: { set: { gaveUp: '\${ $error.status }' } } }] } } }]`,
    ends: gives({ gaveUp: 408 }),
    steps: { '/0/a/try/1/b/timeout': 'completed', '/0/a/try/1/b~2/timeout': 'completed' },
  },
  {
    title: 'a function of the workflow',
    text: `use: { functions: { f: { wait: PT1H, ${SOON} } } }\ndo: [{ a: { call: f, ${LATE} } }]`,
    ends: timedOut('/use/functions/f'),
    steps: { '/0/a/timeout': 'completed', '/0/a/use/functions/f/timeout': 'completed' },
  },
  {
    title: 'the workflow, with tasks that have more time',
    text: `${SOON.replace('50', '500')}\ndo: [{ a: { ${LATE}, do: [{ b: { wait: PT1H, ${LATE} } }] } }]`,
    ends: timedOut('/timeout'),
    steps: {},
  },
];
