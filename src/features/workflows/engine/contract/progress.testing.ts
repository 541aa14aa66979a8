import { JqExpressions } from '#open-workflow';
import type { AppEvents } from '../../../../platform/events/app-events.js';
import { until } from '../../../../../test/support/until.js';
import { newRun } from '../testing.js';
import { InterpretedPrograms } from './interpreted-programs.testing.js';
import { ASKS } from './timeout-cases.testing.js';
import { FOREVER, type Start } from './world.testing.js';

/** One of each kind of step, in a fixed order. */
const EVERY_KIND = `do:
  - calls: { call: tells }
  - waits: { wait: PT0.02S }
  - loops: { for: { in: '\${ [1, 2] }' }, do: [{ once: { call: answer } }] }
  - forks: { fork: { branches: [{ alone: { call: answer } }] } }
  - listens: { listen: { to: { one: { with: { type: rain } } } } }
  - starts: { run: { workflow: { namespace: test, name: child } } }
  - asks: { ${ASKS} }
  - asksItself: { call: asks }
  - fails: { try: [{ broken: { call: fail } }], catch: {} }`;

/** Tests that followers of a run are notified of every step, with steps of the interpreter. */
export function testProgress(start: Start): void {
  const expressions = new JqExpressions();
  afterAll(() => expressions.close());

  it('notifies of each step that ends, whatever its kind, and of the progress of a step', async () => {
    const programs = new InterpretedPrograms(
      { tested: EVERY_KIND, child: 'do: [{ a: { call: answer } }]' },
      expressions,
    );
    const { runs, answers, sent } = await start(programs);
    const { id } = await runs.start(newRun('tested'));
    await runs.publish({ specversion: '1.0', id: '1', source: 'sky', type: 'rain' });
    // The run is suspended: the answer is recorded while nothing executes it.
    await until(async () => (await runs.get(id)).status === 'waiting' && (await runs.questions(id)).length > 0);
    await answers.give(id, '/do/6/asks', { action: 'accept', content: {}, by: 'eve' });
    await until(async () => (await runs.questions(id)).some(({ step }) => step.startsWith('/do/7/')));
    await answers.give(id, '/do/7/asksItself?name', { action: 'accept', content: {}, by: 'eve' });
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
    const told = sent.filter((event): event is ['run.step', AppEvents['run.step']] => event[0] === 'run.step');
    expect(told.filter(([, event]) => event.id === id).map(([, event]) => [event.step.name, event.progress])).toEqual([
      ['/do/0/calls', { progress: 1, total: 2, message: 'half of it' }],
      ['/do/0/calls', undefined],
      ['/do/1/waits', undefined],
      ['/do/2/loops/do/0/once#0', undefined],
      ['/do/2/loops/do/0/once#1', undefined],
      ['/do/3/forks/fork/branches/0/alone', undefined],
      ['/do/3/forks', undefined],
      ['/do/4/listens', undefined],
      ['/do/5/starts', undefined],
      ['/do/6/asks', undefined],
      ['/do/7/asksItself?name', undefined],
      ['/do/7/asksItself!2', undefined],
      ['/do/8/fails/try/0/broken', undefined],
    ]);
  });
}
