import type { Json } from '../json.js';
import { Scenario } from '../testing.js';

const RUN = (more = '') => `
do:
  - other:
      run: { workflow: { namespace: test, name: sub, input: { n: '\${ .n + 1 }' } }${more} }
`;

describe('run', () => {
  it('runs another workflow, and gives its output', async () => {
    const calls: Json[] = [];
    const child = async (call: Json) => {
      calls.push(call);
      return { done: true };
    };
    const scenario = new Scenario(RUN(), { input: { n: 1 }, steps: { child } });
    expect(await scenario.output()).toEqual({ done: true });
    expect(await scenario.output()).toEqual({ done: true });
    expect(calls).toEqual([{ namespace: 'test', name: 'sub', version: 'latest', input: { n: 2 } }]);
  });

  it('takes an expression for all of the input, and names of workflows as they are', async () => {
    const called = async (head: string, workflow: string) => {
      const calls: Json[] = [];
      const child = async (call: Json) => calls.push(call);
      const text = `${head}do: [{ other: { run: { workflow: ${workflow} } } }]\n`;
      await new Scenario(text, { input: [1, 2], steps: { child } }).output();
      return calls;
    };
    const expected = { namespace: 'test', name: 'length', version: 'latest', input: [1, 2] };
    expect(await called('', "{ namespace: test, name: length, input: '${ . }' }")).toEqual([expected]);
    const loose = 'evaluate: { mode: loose }\n';
    expect(await called(loose, '{ namespace: test, name: length, input: . }')).toEqual([expected]);
  });

  it('outputs its own input when it does not wait', async () => {
    const scenario = new Scenario(RUN(', await: false'), { input: { n: 1 }, steps: { child: async () => null } });
    expect(await scenario.output()).toEqual({ n: 1 });
    expect(scenario.run.records.get('/do/0/other')?.result).toMatchObject({ value: { runId: 'run-1:/do/0/other' } });
  });

  it('fails as the other workflow fails', async () => {
    const child = async () => Promise.reject(new Error('no such workflow'));
    expect(await new Scenario(RUN(), { input: { n: 1 }, steps: { child } }).problem()).toMatchObject({
      detail: 'no such workflow',
      instance: '/do/0/other',
    });
  });
});
