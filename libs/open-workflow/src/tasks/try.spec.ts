import type { Json } from '../json.js';
import { Scenario, TestHost } from '../testing.js';

/** A function that fails the given number of times before it succeeds. */
function flaky(failures: number, status = 503): TestHost {
  let calls = 0;
  return new TestHost({}, () => ((calls += 1) > failures ? { json: { calls } } : { status }));
}

const TRY = (clause: string) => `
use:
  retries: { patient: { delay: PT10S, limit: { attempt: { count: 2 } } } }
do:
  - attempt:
      try: [{ get: { call: http, with: { method: get, endpoint: 'https://example.com/' } } }]
      catch: ${clause}
`;

/** Returns how long a workflow slept before each attempt except the first. */
async function delaysOf(retry: string, failures = 3): Promise<number[]> {
  const scenario = new Scenario(TRY(`{ retry: ${retry}, do: [{ gave: { set: { up: true } } }] }`), {
    host: flaky(failures),
  });
  await scenario.output();
  const began = Date.parse(scenario.run.info.startedAt);
  let before = began;
  return [...scenario.run.records.values()].flatMap((record) => {
    const at = Date.parse((record.result as { at: string }).at);
    const delay = record.kind === 'sleep' ? [(record.wakeAt ?? 0) - before] : [];
    before = at;
    return delay;
  });
}

describe('try', () => {
  it('tries again as often as the policy says, and names the steps of each attempt', async () => {
    const scenario = new Scenario(TRY('{ retry: patient }'), { host: flaky(2) });
    expect(await scenario.output()).toEqual({ calls: 3 });
    expect(scenario.steps).toEqual([
      '/do/0/attempt/try/0/get',
      '/do/0/attempt/retry~2',
      '/do/0/attempt/try/0/get~2',
      '/do/0/attempt/retry~3',
      '/do/0/attempt/try/0/get~3',
    ]);
    expect([...scenario.run.records.values()].at(-1)?.step).toMatchObject({
      name: '/do/0/attempt/try/0/get~3',
      task: '/do/0/attempt/try/0/get',
      attempt: 3,
    });
  });

  it('shows the error to a policy that is shared, whatever the task calls it', async () => {
    const when = '{ retry: patient, as: problem }';
    const text = TRY(when).replace('patient: {', 'patient: { when: $error.status == 503,');
    expect(await new Scenario(text, { host: flaky(1) }).output()).toEqual({ calls: 2 });
    const missing = new Scenario(text, { host: flaky(1, 404) });
    expect(await missing.problem()).toMatchObject({ status: 404 });
    expect(missing.steps).toHaveLength(1);
  });

  it('fails with the last error when the policy has given up and nothing handles it', async () => {
    const scenario = new Scenario(TRY('{ retry: patient }'), { host: flaky(9) });
    expect(await scenario.problem()).toMatchObject({ status: 503, instance: '/do/0/attempt/try/0/get' });
    expect(scenario.host.requests).toHaveLength(3);
  });

  it('handles the error when the policy has given up', async () => {
    const scenario = new Scenario(TRY('{ retry: patient, do: [{ fall: { set: { back: "${ $error.status }" } } }] }'), {
      host: flaky(9),
    });
    expect(await scenario.output()).toEqual({ back: 503 });
  });

  it.each([
    [
      'a constant delay',
      '{ delay: PT1S, backoff: { constant: {} }, limit: { attempt: { count: 3 } } }',
      [1000, 1000, 1000],
    ],
    [
      'a delay that grows by itself',
      '{ delay: PT1S, backoff: { linear: {} }, limit: { attempt: { count: 3 } } }',
      [1000, 2000, 3000],
    ],
    ['a delay that doubles', '{ delay: { seconds: 1 }, backoff: { exponential: {} } }', [1000, 2000, 4000]],
    ['a delay from an expression', `{ delay: '\${ "PT5S" }', limit: { attempt: { count: 1 } } }`, [5000]],
    ['a limit of the whole time', '{ delay: PT10S, limit: { duration: PT25S } }', [10_000, 10_000]],
    ['no delay', '{ limit: { attempt: { count: 3 } } }', []],
  ])('waits for %s', async (_, retry, delays) => {
    expect(await delaysOf(retry)).toEqual(delays);
  });

  it('adds jitter within its bounds, once and for all', async () => {
    const [delay = 0] = await delaysOf('{ delay: PT1S, jitter: { from: PT0.1S, to: PT0.5S } }', 1);
    expect(delay).toBeGreaterThanOrEqual(1100);
    expect(delay).toBeLessThanOrEqual(1500);
  });

  it.each<[string, string, Json]>([
    [
      'by its status',
      '{ errors: { with: { status: 503 } }, do: [{ ok: { set: { caught: true } } }] }',
      { caught: true },
    ],
    [
      'by a condition about it',
      "{ when: '$error.status == 503', do: [{ ok: { set: { caught: true } } }] }",
      { caught: true },
    ],
    [
      'unless an exception holds',
      "{ exceptWhen: '$error.status == 404', do: [{ ok: { set: { caught: true } } }] }",
      { caught: true },
    ],
    ['without doing anything, and gives its input', '{ as: problem }', { given: 1 }],
  ])('catches an error %s', async (_, clause, output) => {
    expect(await new Scenario(TRY(clause), { host: flaky(1), input: { given: 1 } }).output()).toEqual(output);
  });

  it.each([
    ['of another status', '{ errors: { with: { status: 404 } } }'],
    ['of another type', '{ errors: { with: { type: "https://serverlessworkflow.io/spec/1.0.0/errors/timeout" } } }'],
    ['that its condition leaves out', "{ when: '$error.status == 404' }"],
    ['that its exception names', "{ exceptWhen: '$error.status == 503' }"],
  ])('lets an error pass %s', async (_, clause) => {
    expect(await new Scenario(TRY(clause), { host: flaky(1) }).problem()).toMatchObject({ status: 503 });
  });

  it.each([
    ['its condition', "{ when: '$error.status == 404' }"],
    ['its exception', "{ exceptWhen: '$error.status == 503' }"],
  ])('does not try again when %s says so', async (_, retry) => {
    const scenario = new Scenario(TRY(`{ retry: ${retry} }`), { host: flaky(1) });
    expect(await scenario.problem()).toMatchObject({ status: 503 });
    expect(scenario.steps).toEqual(['/do/0/attempt/try/0/get']);
  });

  it('continues at `catch.then` after an error, and at `then` without one', async () => {
    const yaml = `
do:
  - attempt:
      try: [{ get: { call: http, with: { method: get, endpoint: 'https://example.com/' } } }]
      catch: { do: [{ note: { set: { noted: true } } }], then: mend }
      then: end
  - never: { set: { never: true } }
  - mend: { set: { mended: '\${ .noted }' } }
`;
    expect(await new Scenario(yaml, { host: flaky(1) }).output()).toEqual({ mended: true });
    expect(await new Scenario(yaml, { host: flaky(0) }).output()).toEqual({ calls: 1 });
  });

  it('catches what is raised by name, with the values of its expressions', async () => {
    const yaml = `
use: { errors: { closed: { type: 'https://example.com/closed', status: 423, title: Closed, detail: '\${ "until \\(.day)" }' } } }
do:
  - attempt:
      try: [{ stop: { raise: { error: closed } } }]
      catch: { errors: { with: { title: Closed } }, do: [{ note: { set: '\${ $error }' } }] }
`;
    expect(await new Scenario(yaml, { input: { day: 'Monday' } }).output()).toEqual({
      type: 'https://example.com/closed',
      status: 423,
      title: 'Closed',
      detail: 'until Monday',
      instance: '/do/0/attempt/try/0/stop',
    });
  });

  it('catches errors of expressions, of schemas and of functions alike', async () => {
    const host = new TestHost({ fail: () => Promise.reject(new Error('no paper')) });
    const yaml = (task: string) =>
      `do: [{ t: { try: [{ x: { ${task} } }], catch: { do: [{ note: { set: '\${ $error | [.status, .detail] }' } }] } } }]`;
    expect(await new Scenario(yaml(`set: { a: '\${ 1 + "a" }' }`)).output()).toEqual([
      400,
      'The expression ${ 1 + "a" } failed: number (1) and string ("a") cannot be added.',
    ]);
    expect(await new Scenario(yaml('set: {}, output: { schema: { document: { required: [a] } } }')).output()).toEqual([
      400,
      "The output of the task does not fit its schema: / must have required property 'a'.",
    ]);
    expect(await new Scenario(yaml('call: fail'), { host }).output()).toEqual([500, 'no paper']);
  });
});
