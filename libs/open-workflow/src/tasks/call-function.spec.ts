import { ANSWER_EVENT } from '../durable-steps.js';
import { interpretSkill } from '../interpret-skill.js';
import { InMemoryRun } from '../in-memory/in-memory-run.js';
import { type JsonObject, textOf } from '../json.js';
import { Scenario, TestHost } from '../testing.js';
import type { InputRound } from '../workflow-host.js';

const question = (message: string) => ({ message, schema: { type: 'object' } });

/** Books a table; asks for the day and the number of people, and then for confirmation. */
const booking = () =>
  new TestHost({
    book: ({ place }, _, { answers, state }: InputRound) => {
      if (state === null)
        return {
          $inputNeeded: { questions: { 'the day': question('When?'), people: question('How many?') }, state: 1 },
        };
      if (state === 1)
        return { $inputNeeded: { questions: { people: question('Is that right?') }, state: { first: answers } } };
      return { place: place ?? null, first: (state as JsonObject).first ?? null, second: answers };
    },
  });

const answer = (run: InMemoryRun, subject: string, content: JsonObject | null, action = 'accept') =>
  run.send({
    specversion: '1.0',
    id: subject,
    source: 'test',
    type: ANSWER_EVENT,
    subject,
    data: { action, content, by: 'ada' },
  });

describe('call', () => {
  it('evaluates the arguments inside the step, once, and shows the input of the task', async () => {
    const host = new TestHost({ add: ({ a, b }) => Number(a) + Number(b) });
    const yaml = `do: [{ sum: { input: { from: .numbers }, call: add, with: { a: '\${ .[0] }', b: '\${ .[1] }' } } }]`;
    const scenario = new Scenario(yaml, { input: { numbers: [1, 2] }, host });
    expect(await scenario.output()).toBe(3);
    expect(host.calls).toEqual([{ name: 'add', args: { a: 1, b: 2 }, key: 'run-1:/do/0/sum' }]);
    expect(scenario.run.records.get('/do/0/sum')?.shown).toEqual([1, 2]);
  });

  it('asks people for what a function needs, as often as it needs something', async () => {
    const host = booking();
    const scenario = new Scenario(`do: [{ table: { call: book, with: { place: Rialto } } }]`, { host });
    const { run } = scenario;
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    expect(scenario.steps).toEqual(['/do/0/table', '/do/0/table?the%20day', '/do/0/table?people']);
    answer(run, '/do/0/table?people', { n: 2 });
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    answer(run, '/do/0/table?the%20day', null, 'decline');
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    answer(run, '/do/0/table?people!2', { right: true });
    expect(await scenario.output()).toEqual({
      place: 'Rialto',
      first: {
        'the day': { action: 'decline', content: null, by: 'ada' },
        people: { action: 'accept', content: { n: 2 }, by: 'ada' },
      },
      second: { people: { action: 'accept', content: { right: true }, by: 'ada' } },
    });
    expect(host.calls.map(({ key }) => key)).toEqual([
      'run-1:/do/0/table',
      'run-1:/do/0/table!2',
      'run-1:/do/0/table!3',
    ]);
  });

  it('gives secrets to functions, and keeps them out of all that is recorded', async () => {
    const host = new TestHost(
      {
        send: ({ token = null }) => ({ echo: `sent with ${textOf(token)}`, length: textOf(token).length }),
        fail: ({ token = null }) => Promise.reject(new Error(`refused ${textOf(token)}`)),
      },
      undefined,
      { mail: { token: 's3cret/token' }, unused: 'other' },
    );
    const yaml = (name: string) => `
use: { secrets: [mail] }
do: [{ a: { call: ${name}, with: { token: '\${ $secrets.mail.token }' } } }]
`;
    const scenario = new Scenario(yaml('send'), { host });
    expect(await scenario.output()).toEqual({ echo: 'sent with [redacted]', length: 12 });
    expect(host.calls[0]?.args).toEqual({ token: 's3cret/token' });
    const failing = new Scenario(yaml('fail'), { host });
    expect(await failing.problem()).toMatchObject({ status: 500, detail: 'refused [redacted]' });
    expect(JSON.stringify([...scenario.run.records, ...failing.run.records])).not.toContain('s3cret');
  });

  it('keeps secrets out of what jq says about them', async () => {
    const host = new TestHost({}, undefined, { mail: 'a-secret-that-jq-would-shorten' });
    const yaml = `{ use: { secrets: [mail] }, do: [{ a: { call: f, with: { token: '\${ $secrets.mail + 1 }' } } }] }`;
    expect(await new Scenario(yaml, { host }).problem()).toMatchObject({
      status: 400,
      detail: 'An expression of a step that uses secrets failed.',
    });
  });

  it.each([
    ['outside of `with`', `do: [{ a: { set: { x: '\${ $secrets.mail }' } } }]`],
    ['in arguments that become the input of tasks', `do: [{ a: { call: f, with: { x: '\${ $secrets.mail }' } } }]`],
    ['in events', `do: [{ a: { emit: { event: { with: { type: a, data: '\${ $secrets.mail }' } } } } }]`],
  ])('refuses secrets %s', async (_, tasks) => {
    const yaml = `{ use: { secrets: [mail], functions: { f: { set: {} } } }, ${tasks} }`;
    const host = new TestHost({}, undefined, { mail: 'x' });
    const scenario = new Scenario(yaml, { host, isInvalid: true });
    expect(await scenario.problem()).toMatchObject({
      status: 400,
      detail: expect.stringContaining('$secrets') as string,
    });
  });
});

describe('interpretSkill', () => {
  it('executes a function as a child run, with its questions', async () => {
    const run = new InMemoryRun();
    const host = booking();
    const execute = () =>
      run.execute((steps) => interpretSkill({ name: 'book', input: { place: 'Rialto' }, steps, host }));
    expect(await execute()).toEqual({ status: 'waiting' });
    expect([...run.records.keys()]).toEqual(['/call', '/call?the%20day', '/call?people']);
    for (const subject of ['/call?the%20day', '/call?people', '/call?people!2']) answer(run, subject, { ok: true });
    expect(await execute()).toMatchObject({ status: 'completed', value: { place: 'Rialto' } });
  });

  it('fails with the error of the function', async () => {
    const host = new TestHost({ fail: () => Promise.reject(new Error('no paper')) });
    const ended = await new InMemoryRun().execute((steps) => interpretSkill({ name: 'fail', input: {}, steps, host }));
    expect(ended).toMatchObject({
      status: 'failed',
      error: { problem: { status: 500, detail: 'no paper', instance: '/call' } },
    });
  });
});
