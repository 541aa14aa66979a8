import { Scenario, TestHost } from '../testing.js';

/** Returns a host whose skill `hang` ends when it is aborted, and is noted then. @param begun called when `hang` is */
function hangingHost(begun = () => {}) {
  const aborted: string[] = [];
  const host = new TestHost({
    hang: (_, { signal }) =>
      new Promise((resolve) => {
        begun();
        signal.addEventListener('abort', () => {
          aborted.push('hang');
          resolve(null);
        });
      }),
  });
  return { host, aborted };
}

describe('fork', () => {
  it('gives the outputs of all branches in their order', async () => {
    const yaml = `
do:
  - both:
      fork:
        branches:
          - slow: { do: [{ wait: { wait: PT1H } }, { a: { set: { n: '\${ .n + 1 }' } } }] }
          - fast: { set: { n: '\${ .n + 2 }' } }
`;
    const scenario = new Scenario(yaml, { input: { n: 1 } });
    expect(await scenario.output()).toEqual([{ n: 2 }, { n: 3 }]);
    expect(scenario.steps).toEqual(['/do/0/both', '/do/0/both/fork/branches/0/slow/do/0/wait']);
  });

  it('joins what the branches export to the context', async () => {
    const yaml = `
do:
  - before: { set: {}, export: { as: '{ kept: 1, changed: 1, removed: 1 }' } }
  - both:
      fork:
        branches:
          - one: { set: { n: 1 }, export: { as: '$context + { one: .n, changed: 2 }' } }
          - two: { set: { n: 2 }, export: { as: '$context + { two: .n } | del(.removed)' } }
  - after: { set: '\${ $context }' }
`;
    expect(await new Scenario(yaml).output()).toEqual({ kept: 1, changed: 2, one: 1, two: 2 });
  });

  it('fails with the error of a branch, and stops the others', async () => {
    const { host, aborted } = hangingHost();
    const yaml = `
do:
  - both:
      fork:
        branches:
          - hanging: { call: hang }
          - failing: { raise: { error: { type: 'https://example.com/no', status: 418 } } }
`;
    expect(await new Scenario(yaml, { host }).problem()).toMatchObject({
      status: 418,
      instance: '/do/0/both/fork/branches/1/failing',
    });
    expect(aborted).toEqual(['hang']);
  });

  it('takes the first branch that succeeds when branches compete, and stops the others', async () => {
    const yaml = `
do:
  - race:
      fork:
        compete: true
        branches:
          - failing: { raise: { error: { type: 'https://example.com/no', status: 418 } } }
          - slow: { do: [{ wait: { wait: PT2H } }, { a: { set: { by: slow } } }] }
          - fast: { do: [{ wait: { wait: PT1H } }, { a: { set: { by: fast }, export: { as: '{ by: .by }' } } }] }
  - after: { set: { by: '\${ .by }', context: '\${ $context.by }' } }
`;
    expect(await new Scenario(yaml).output()).toEqual({ by: 'fast', context: 'fast' });
  });

  it('fails with the last error when all competing branches fail', async () => {
    const failing = (status: number, ms: number) =>
      `do: [{ wait: { wait: { milliseconds: ${ms} } } }, { no: { raise: { error: { type: x, status: ${status} } } } }]`;
    const yaml = `do: [{ race: { fork: { compete: true, branches: [{ a: { ${failing(418, 500)} } }, { b: { ${failing(423, 10)} } }] } } }]`;
    expect(await new Scenario(yaml).problem()).toMatchObject({ status: 418 });
  });

  it('ends the workflow when a branch does', async () => {
    const yaml = `do: [{ both: { fork: { branches: [{ a: { set: 1 , then: end } }, { b: { set: 2 } }] } } }, { never: { set: {} } }]`;
    const definition = yaml.replace('set: 1', `set: '\${ 1 }'`).replace('set: 2', `set: '\${ 2 }'`);
    expect(await new Scenario(definition).output()).toEqual([1, 2]);
  });

  it('shows the variables around it to its branches', async () => {
    const yaml = `
do:
  - loop:
      for: { in: '[1, 2]' }
      do: [{ both: { fork: { branches: [{ a: { set: { n: '\${ $item * 10 }' } } }] } } }]
`;
    expect(await new Scenario(yaml).output()).toEqual([{ n: 20 }]);
  });
});

describe('timeouts', () => {
  const TIMED = (after: string) => `
use: { timeouts: { short: { after: PT1M } } }
do:
  - timed: { do: [{ wait: { wait: PT1H } }, { a: { set: { done: true }, export: { as: . } } }], timeout: ${after}, then: last }
  - never: { set: {} }
  - last: { set: { out: '\${ . }', context: '\${ $context }' } }
`;

  it.each(['{ after: PT1M }', 'short', `{ after: '\${ .limit }' }`])(
    'end a task that takes longer than %s',
    async (after) => {
      const scenario = new Scenario(TIMED(after), { input: { limit: 'PT1M' } });
      expect(await scenario.problem()).toEqual({
        type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout',
        title: 'Timeout Error',
        status: 408,
        detail: 'The task took longer than 60000 ms, which is its timeout.',
        instance: '/do/0/timed',
      });
    },
  );

  it('do nothing to a task that is fast enough', async () => {
    expect(await new Scenario(TIMED('{ after: P1D }')).output()).toEqual({
      out: { done: true },
      context: { done: true },
    });
  });

  it('can be caught', async () => {
    const yaml = `
do:
  - attempt:
      try: [{ slow: { wait: PT1H, timeout: { after: PT1M } } }]
      catch:
        errors: { with: { type: 'https://serverlessworkflow.io/dsl/errors/types/timeout' } }
        do: [{ note: { set: { late: true } } }]
`;
    expect(await new Scenario(yaml).output()).toEqual({ late: true });
  });

  it('end a workflow, whatever it catches', async () => {
    const yaml = `
timeout: { after: PT1M }
do: [{ attempt: { try: [{ slow: { wait: PT1H } }], catch: {} } }]
`;
    expect(await new Scenario(yaml).problem()).toMatchObject({
      status: 408,
      detail: 'The workflow took longer than 60000 ms, which is its timeout.',
    });
    expect(await new Scenario(yaml.replace('PT1H', 'PT1S'), { input: { a: 1 } }).output()).toEqual({ a: 1 });
  });

  it('are not measured for a task that is skipped', async () => {
    const scenario = new Scenario('do: [{ a: { if: "false", wait: PT1H, timeout: { after: PT1M } } }]');
    await scenario.output();
    expect(scenario.steps).toEqual([]);
  });

  it('abort running work', async () => {
    // Time does not pass by itself while a call is under way.
    const { host, aborted } = hangingHost(() => scenario.run.advance(60_000));
    const yaml = 'do: [{ a: { fork: { branches: [{ b: { call: hang } }] }, timeout: { after: PT1M } } }]';
    const scenario = new Scenario(yaml, { host });
    expect(await scenario.problem()).toMatchObject({ status: 408 });
    expect(aborted).toEqual(['hang']);
  });
});
