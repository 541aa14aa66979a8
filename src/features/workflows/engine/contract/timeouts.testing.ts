import { JqExpressions } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { until } from '../../../../../test/support/until.js';
import type { Run } from '../../runs/run.js';
import { newRun } from '../testing.js';
import { InterpretedPrograms } from './interpreted-programs.testing.js';
import { ASKS, CASES, LATE, SOON } from './timeout-cases.testing.js';
import { FOREVER, type Start, type World } from './world.testing.js';

/** Tests that timeouts end exactly the steps that they should, with steps of the interpreter. */
export function testTimeouts(open: () => Promise<Database>, start: Start): void {
  describe('with timeouts', () => testEach(open, start));
}

function testEach(open: () => Promise<Database>, start: Start): void {
  const expressions = new JqExpressions();
  afterAll(() => expressions.close());

  const programsOf = (text: string) => new InterpretedPrograms({ tested: text, endless: ENDLESS }, expressions);

  it.each(CASES)('limits the time of $title', async ({ text, ends, steps }) => {
    const { runs } = await start(programsOf(text));
    const { id } = await runs.start(newRun('tested'));
    expect(await ended(runs, id)).toMatchObject({ ...ends, questions: 0 });
    const found = new Map((await runs.steps(id)).map(({ name, status }) => [name, status]));
    const named = Object.keys(steps).map((name) => [name, found.get(`/do${name}`)]);
    expect(Object.fromEntries(named)).toEqual(steps);
    expect([...found].filter(([, status]) => status === 'waiting' || status === 'started')).toEqual([]);
    await until(async () => (await listChildren(runs)).every(({ status }) => status === 'cancelled'));
  });

  it('takes the answer to a question that is asked after another has expired', async () => {
    const { runs, answers } = await start(programsOf(ASKS_AGAIN));
    const { id } = await runs.start(newRun('tested'));
    const steps = async () => (await runs.questions(id)).map(({ step }) => step);
    await until(async () => String(await steps()) === '/do/1/c');
    const answer = { action: 'accept', content: {}, by: 'eve' } as const;
    await expect(answers.give(id, '/do/0/a/try/0/b', answer)).rejects.toThrow('does not wait for an answer');
    await answers.give(id, '/do/1/c', answer);
    expect(await ended(runs, id)).toMatchObject({ status: 'completed', output: [answer], questions: 0 });
  });

  it('ends suspended runs at their timeout, also while nothing executes runs', async () => {
    const [database, programs] = [await open(), programsOf(PUT_ASIDE)];
    const before = await start(programs, database);
    const { id } = await before.runs.start(newRun('tested'));
    // On a busy machine the run may have ended before the test reads it.
    await until(async () => ['waiting', 'failed'].includes((await before.runs.get(id)).status));
    const limit = (await before.runs.steps(id)).find(({ name }) => name === '/do/0/a/timeout');
    await before.engine.beforeApplicationShutdown();
    await until(() => Date.now() > (limit?.wakeAt?.getTime() ?? Infinity));
    const { runs } = await start(programs, database);
    expect(await ended(runs, id)).toMatchObject({ status: 'failed', error: { status: 408, instance: '/do/0/a' } });
  });

  it('leaves no run behind that a task starts when its time is already over', async () => {
    const programs = programsOf(GOES_ON);
    const { runs } = await start(programs);
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
    await until(async () => (await listChildren(runs)).every(({ status }) => status === 'cancelled'));
  });

  const listChildren = async (runs: World['runs']) => (await runs.listPage({ name: 'endless', limit: 10 })).items;
}

/** Returns a run after its end, and answers its questions to people meanwhile. */
async function ended(runs: World['runs'], id: string): Promise<Run> {
  if ((await runs.follow(id, FOREVER)).endedAt === null) await until(async () => (await runs.get(id)).endedAt !== null);
  return runs.get(id);
}

/** A workflow that continues after it has stopped a task, and then waits. */
const GOES_ON = `do:
  - a:
      try: [{ b: { run: { workflow: { namespace: test, name: endless } }, ${SOON.replace('50', '500')} } }]
      catch: { do: [{ c: { call: answer } }] }
  - d: { listen: { to: { one: { with: { type: rain } } } } }`;

const ENDLESS = 'do: [{ a: { wait: PT1H } }]';

const ASKS_AGAIN = `do:
  - a: { try: [{ b: { ${ASKS}, ${SOON} } }], catch: {} }
  - c: { ${ASKS}, ${LATE} }`;

const PUT_ASIDE = `do: [{ a: { listen: { to: { one: { with: { type: rain } } } }, ${SOON.replace('50', '1000')} } }]`;
