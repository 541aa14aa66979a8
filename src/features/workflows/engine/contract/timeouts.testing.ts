import { JqExpressions, type Json } from '#open-workflow';
import { until } from '../../../../../test/support/until.js';
import { newRun } from '../testing.js';
import { InterpretedPrograms } from './interpreted-programs.testing.js';
import type { OpenWorld, World } from './world.testing.js';

const FOREVER = { timeoutMs: 250_000, signal: new AbortController().signal };
/** So soon, and so late, that it is clear what comes first. */
const [SOON, LATE] = ['timeout: { after: { milliseconds: 50 } }', 'timeout: { after: PT1H }'];
const RETRY = 'catch: { retry: { limit: { attempt: { count: 5 } } } }';

const ATTEMPTS = [
  '{ number: { call: count } }',
  `{ b: { if: '\${ . == 1 }', wait: PT1H, ${SOON} } }`,
  `{ c: { if: '\${ . == 2 }', call: fail, ${LATE} } }`,
  `{ d: { call: answer, ${LATE} } }`,
].join();

/** Whether a step that its time ends has begun is chance, so that none is named here. */
type Status = 'completed' | 'failed';

/** A workflow, how it ends, and how the steps end that are named here, without the `/do` at the beginning. */
interface Case {
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

const CASES: Case[] = [
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

/** Tests that time limits end what they should and nothing else, over the steps that the interpreter makes. */
export function testTimeouts(open: OpenWorld): void {
  describe('with timeouts', () => testEach(open));
}

function testEach(open: OpenWorld): void {
  const expressions = new JqExpressions();
  afterAll(() => expressions.close());

  let world: World | undefined;
  afterEach(() => world?.engine.beforeApplicationShutdown());

  it.each(CASES)('limits the time of $title', async ({ text, ends, steps }) => {
    world = await open(new InterpretedPrograms({ tested: text, endless: ENDLESS }, expressions));
    const { engine, runs } = world;
    await engine.onApplicationBootstrap();
    const { id } = await runs.start(newRun('tested'));
    expect(await runs.follow(id, FOREVER)).toMatchObject(ends);
    const found = new Map((await runs.steps(id)).map(({ name, status }) => [name, status]));
    const named = Object.keys(steps).map((name) => [name, found.get(`/do${name}`)]);
    expect(Object.fromEntries(named)).toEqual(steps);
    expect([...found].filter(([, status]) => status === 'waiting' || status === 'started')).toEqual([]);
    await until(async () => (await listChildren()).every(({ status }) => status === 'cancelled'));
  });

  it('leaves no run behind that a task starts when its time is already over', async () => {
    const programs = new InterpretedPrograms({ tested: GOES_ON, endless: ENDLESS }, expressions);
    world = await open(programs);
    const { engine, runs } = world;
    await engine.onApplicationBootstrap();
    const goesOn = async (runId: string) => (await runs.steps(runId)).some(({ name }) => name === '/do/1/d');
    const starting: Promise<void>[] = [];
    programs.beforeChild = (runId) => {
      const over = until(() => goesOn(runId));
      starting.push(over);
      return over;
    };
    const { id } = await runs.start(newRun('tested'));
    await until(() => goesOn(id));
    await Promise.all(starting);
    await runs.publish({ specversion: '1.0', id: '1', source: 'sky', type: 'rain' });
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
    await until(async () => (await listChildren()).every(({ status }) => status === 'cancelled'));
  });

  const listChildren = async () => (await world?.runs.listPage({ name: 'endless', limit: 10 }))?.items ?? [];
}

/** A workflow that goes on after it has stopped a task, and then waits. */
const GOES_ON = `do:
  - a:
      try: [{ b: { run: { workflow: { namespace: test, name: endless } }, ${SOON.replace('50', '500')} } }]
      catch: { do: [{ c: { call: answer } }] }
  - d: { listen: { to: { one: { with: { type: rain } } } } }`;

const ENDLESS = 'do: [{ a: { wait: PT1H } }]';
