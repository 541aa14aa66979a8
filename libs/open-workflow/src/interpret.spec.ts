import { expressions, Scenario, TestHost } from './testing.js';

afterAll(() => expressions.close());

describe('a workflow', () => {
  it('replaces the data with what is set', async () => {
    const scenario = new Scenario('do: [{ a: { set: { x: "${ .n + 1 }", y: "text" } } }, { b: { set: "${ .x }" } }]', {
      input: { n: 1 },
    });
    expect(await scenario.output()).toBe(2);
  });

  it('calls functions once, and remembers what they returned', async () => {
    const host = new TestHost({ double: ({ n }) => Number(n) * 2 });
    const scenario = new Scenario(
      `
do:
  - first: { call: double, with: { n: '\${ .n }' } }
  - pause: { wait: PT1H }
  - second: { call: double, with: { n: '\${ . }' } }
`,
      { input: { n: 2 }, host },
    );
    expect(await scenario.output()).toBe(8);
    expect(await scenario.output()).toBe(8);
    expect(host.calls.map(({ key }) => key)).toEqual(['run-1:/do/0/first', 'run-1:/do/2/second']);
    expect(scenario.steps).toEqual(['/do/0/first', '/do/1/pause', '/do/2/second']);
  });
});
