import { JqExpressions } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { describeEachDatabase } from '../../../../platform/database/testing.js';
import { InterpretedPrograms } from '../contract/interpreted-programs.testing.js';
import { newRun } from '../testing.js';
import { LosableOwnership, engineOn, interruptedStoresOn } from './testing.js';
import { until } from '../../../../../test/support/until.js';

/** A call that is listed while it runs, and a question: the timeouts of both have expired. */
const TIMED = `do:
  - a:
      try: [{ b: { call: hang, timeout: { after: { milliseconds: 70 } } } }]
      catch: { do: [{ c: { set: { call: '\${ $error.status }' } } }] }
  - d:
      try:
        - e:
            listen: { to: { one: { with: { type: person.answered } } } }
            metadata: { question: { message: '\${ ["Go", "?"] | add }', schema: { type: object, properties: { go: { type: boolean } } } } }
            timeout: { after: { milliseconds: 5 } }
      catch: { do: [{ f: { set: '\${ . + { question: $error.status } }' } }] }
  - g:
      try: [{ h: { run: { workflow: { namespace: test, name: endless } }, timeout: { after: { milliseconds: 60 } } } }]
      catch: { do: [{ i: { set: '\${ . + { run: $error.status } }' } }] }`;

const ENDLESS = 'do: [{ a: { wait: PT1H } }]';

describeEachDatabase('the embedded engine', (open) => {
  const expressions = new JqExpressions();
  afterAll(() => expressions.close());

  it('ends a run as it should, whatever its process was doing with the database when it died', async () => {
    const [database, programs] = [
      await open(),
      new InterpretedPrograms({ timed: TIMED, endless: ENDLESS }, expressions),
    ];
    // How often it is suspended, and how far it gets before the timeout, varies: sometimes all is tried again.
    const died = new Set<string>();
    while (!died.has('record') || !died.has('cancelWithin')) {
      for (let count = 0; ; count += 1) {
        const method = await diesAfter(count, database, programs);
        if (method === null) break;
        died.add(method);
      }
    }
  });
});

/**
 * Executes a run whose process dies after `count` database operations, and completes the run in another process.
 * @returns the last operation; null = the run had ended before
 */
async function diesAfter(count: number, database: Database, programs: InterpretedPrograms): Promise<string | null> {
  const ownership = new LosableOwnership();
  let [done, id] = [0, ''];
  let last: string | null = null; // null = the process is alive
  const stores = interruptedStoresOn(database, async (method, _values, isDone) => {
    if (last === null && isDone && id !== '' && done++ === count) {
      last = method;
      ownership.lose();
    }
    if (last !== null) await new Promise(() => {});
  });
  const before = await engineOn(database, programs, ownership, stores);
  await before.engine.onApplicationBootstrap();
  ({ id } = await before.runs.start(newRun('timed')));
  const hasEnded = async () => (await before.runs.get(id)).endedAt !== null;
  await until(async () => last !== null || (await hasEnded()));
  const after = await engineOn(database, programs);
  await after.engine.onApplicationBootstrap();
  await until(hasEnded);
  expect({ last, ...(await after.runs.get(id)) }).toMatchObject({
    last,
    status: 'completed',
    output: { call: 408, question: 408, run: 408 },
    questions: 0,
  });
  const open = await after.runs.listPage({ name: 'endless', limit: 10 });
  expect({ last, open: open.items.filter(({ status }) => status !== 'cancelled') }).toEqual({ last, open: [] });
  await before.engine.beforeApplicationShutdown();
  await after.engine.beforeApplicationShutdown();
  return last;
}
