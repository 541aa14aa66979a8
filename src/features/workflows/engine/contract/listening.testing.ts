import { type Json, JqExpressions } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { until } from '../../../../../test/support/until.js';
import { newRun } from '../testing.js';
import { InterpretedPrograms } from './interpreted-programs.testing.js';
import { FOREVER, type Start, type World } from './world.testing.js';

/** Returns a task that listens for an event with a condition. */
const wants = (condition: string): string =>
  `{ listen: { to: { one: { with: { type: rain, data: '\${ ${condition} }' } } } }, timeout: { after: PT1H }, output: { as: '.[0]' } }`;

const CASES: { title: string; text: string; events: Json[]; output: Json }[] = [
  {
    title: 'branches that wait for others of them',
    text: `do: [{ f: { fork: { branches: [{ a: ${wants('. == "a"')} }, { b: ${wants('. == "b"')} }] } } }]`,
    events: ['b', 'a'],
    output: ['a', 'b'],
  },
  {
    title: 'tasks that wait one after the other',
    text: `do: [{ a: ${wants('. == 2')} }, { b: ${wants('. == 1')} }]`,
    events: [1, 2],
    output: 1,
  },
  {
    title: 'rounds of a loop',
    text: `do: [{ a: { for: { each: item, in: '\${ [1, 2, 3] }' }, do: [{ b: ${wants('. == $item')} }] } }]`,
    events: [3, 2, 1],
    output: 3,
  },
  {
    title: 'a task that takes what is true, but no boolean',
    text: `do: [{ a: ${wants('index("x")')} }]`,
    events: ['a', 'x', 'x'],
    output: 'x',
  },
];

/** Records the data for which it evaluates conditions. */
class CountedExpressions extends JqExpressions {
  readonly evaluated: Json[] = [];

  override evaluate(...asked: Parameters<JqExpressions['evaluate']>): Promise<Json[]> {
    this.evaluated.push(asked[1]);
    return super.evaluate(...asked);
  }
}

/** Tests that events reach the tasks whose conditions they match, with steps of the interpreter. */
export function testListening(open: () => Promise<Database>, start: Start): void {
  describe('with conditions on events', () => testEach(open, start));
}

function testEach(open: () => Promise<Database>, start: Start): void {
  const expressions = new CountedExpressions();
  afterAll(() => expressions.close());

  const started = (text: string, database?: Database) =>
    start(new InterpretedPrograms({ tested: text }, expressions), database);

  let sent = 0;
  const rain = ({ runs }: World, data: Json) =>
    runs.publish({ specversion: '1.0', id: `${(sent += 1)}`, source: 'sky', type: 'rain', data });

  const isWaiting = async ({ runs }: World, id: string) => (await runs.get(id)).status === 'waiting';

  it.each(CASES)('keeps events that do not fit for $title', async ({ text, events, output }) => {
    const now = await started(text);
    const { id } = await now.runs.start(newRun('tested'));
    for (const data of events) await rain(now, data);
    expect(await now.runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output });
  });

  it('gives back what branches have taken that lose', async () => {
    const slow = `{ slow: { do: [{ a: ${wants('. == "a"')} }, { b: ${wants('. == "b"')} }, { nap: { wait: PT1H } }] } }`;
    const fork = `{ compete: true, branches: [${slow}, { fast: ${wants('. == "fast"')} }] }`;
    const now = await started(`do: [{ f: { fork: ${fork} } }, { c: ${wants('true')} }, { d: ${wants('true')} }]`);
    const { id } = await now.runs.start(newRun('tested'));
    for (const data of ['a', 'b']) await rain(now, data);
    await until(async () => (await now.runs.steps(id)).some(({ name }) => name.endsWith('/nap')));
    await rain(now, 'fast');
    expect(await now.runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: 'b' });
    const outputs = (await now.runs.steps(id)).map(({ name, output }) => [name, output]);
    expect(outputs).toContainEqual(['/do/1/c', expect.objectContaining({ data: 'a' })]);
  });

  it('gives a task that waits what a branch has taken that loses', async () => {
    const slow = `{ slow: { do: [{ a: ${wants('. == "a"')} }, { nap: { wait: PT1H } }] } }`;
    const race = `{ race: { fork: { compete: true, branches: [${slow}, { fast: ${wants('. == "fast"')} }] } } }`;
    const other = `{ other: { do: [{ go: ${wants('. == "go"')} }, { hear: ${wants('. == "a"')} }] } }`;
    const now = await started(`do: [{ f: { fork: { branches: [${race}, ${other}] } } }]`);
    const { id } = await now.runs.start(newRun('tested'));
    const begins = (end: string) =>
      until(async () => (await now.runs.steps(id)).some(({ name }) => name.endsWith(end)));
    await rain(now, 'a');
    await begins('/nap');
    await rain(now, 'go');
    await begins('/hear');
    await rain(now, 'fast');
    expect(await now.runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: ['fast', 'a'] });
  });

  it('keeps events for tasks that begin to wait while others do', async () => {
    const now = await started(
      `do: [{ f: { fork: { branches: [{ a: ${wants('. == "a"')} }, { b: { do: [{ c: ${wants('. == "c"')} }, { d: ${wants('. == "d"')} }] } }] } } }]`,
    );
    const { id } = await now.runs.start(newRun('tested'));
    for (const data of ['d', 'c', 'a']) await rain(now, data);
    expect(await now.runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: ['a', 'd'] });
  });

  it('evaluates each non-matching event once, without a step, also when the run is suspended or the service restarts', async () => {
    const database = await open();
    const text = `do: [{ a: { listen: { to: { one: { with: { type: rain, data: '\${ . == "last" }' } } } } } }]`;
    const before = await started(text, database);
    const { id } = await before.runs.start(newRun('tested'));
    await until(() => isWaiting(before, id));
    expressions.evaluated.splice(0);
    for (let data = 1; data <= 5; data++) {
      await rain(before, data);
      await until(() => expressions.evaluated.length >= data);
      await until(() => isWaiting(before, id));
    }
    await before.engine.beforeApplicationShutdown();
    const after = await started(text, database);
    await rain(after, 'last');
    expect(await after.runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: ['last'] });
    // The last one is evaluated when it is received, and again when the task continues.
    expect(expressions.evaluated).toEqual([1, 2, 3, 4, 5, 'last', 'last']);
    expect((await after.runs.steps(id)).map(({ name }) => name)).toEqual(['/do/0/a']);
  });
}
