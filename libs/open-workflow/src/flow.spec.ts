import { textOf } from './json.js';
import { Scenario, TestHost } from './testing.js';

describe('the flow of tasks', () => {
  it('skips a task whose `if` is false: it passes on its input, and its `then` is ignored', async () => {
    const yaml = `
do:
  - skipped: { if: .isLate, set: { a: 1 }, then: end, output: { as: .nothing } }
  - done: { set: { was: '\${ . }' } }
`;
    expect(await new Scenario(yaml, { input: { isLate: false } }).output()).toEqual({ was: { isLate: false } });
    expect(await new Scenario(yaml, { input: { isLate: true } }).output()).toBeNull();
  });

  it.each(['', 'timeout: { after: PT1H }'])('keeps what was exported before an error, with %j', async (timeout) => {
    const yaml = `
do:
  - outer:
      try:
        - inner:
            ${timeout}
            do:
              - kept: { set: { a: 1 }, export: { as: . } }
              - fails: { raise: { error: { type: 'https://example.com/a', status: 500 } } }
      catch:
        do: [{ tell: { set: { context: '\${ $context }', at: '\${ $error.instance }' } } }]
`;
    expect(await new Scenario(yaml).output()).toEqual({ context: { a: 1 }, at: '/do/0/outer/try/0/inner/do/1/fails' });
  });

  it('leaves only the list of a task with `exit`, and the whole workflow with `end`', async () => {
    const yaml = (then: string) => `
do:
  - outer:
      do:
        - leave: { set: { n: 1 }, then: ${then} }
        - never: { set: { n: 2 } }
  - after: { set: { n: '\${ .n + 10 }' } }
`;
    expect(await new Scenario(yaml('exit')).output()).toEqual({ n: 11 });
    expect(await new Scenario(yaml('end')).output()).toEqual({ n: 1 });
  });

  it('ends a loop and a workflow from inside an iteration', async () => {
    const yaml = `
do:
  - loop:
      for: { in: '[1, 2, 3]' }
      do:
        - check: { switch: [{ two: { when: '$item == 2', then: end } }] }
        - add: { set: { sum: '\${ .sum + $item }' } }
  - never: { set: {} }
`;
    expect(await new Scenario(yaml).output()).toEqual({ sum: 1 });
  });

  it('jumps back by `then`, and distinguishes the visits of a step', async () => {
    const host = new TestHost({ add: ({ n }) => ({ n: Number(n) + 1 }) });
    const yaml = `
do:
  - add: { call: add, with: { n: '\${ .n }' } }
  - again: { switch: [{ more: { when: .n < 3, then: add } }] }
  - inner: { do: [{ last: { call: add, with: { n: '\${ .n }' } } }] }
`;
    const scenario = new Scenario(yaml, { input: { n: 0 }, host });
    expect(await scenario.output()).toEqual({ n: 4 });
    expect(scenario.steps).toEqual(['/do/0/add', '/do/0/add@2', '/do/0/add@3', '/do/2/inner/do/0/last']);
  });

  it('distinguishes the iterations of nested loops, and names the task of a step in the document', async () => {
    const host = new TestHost({ note: ({ text }) => text ?? null });
    const yaml = `
do:
  - rows:
      for: { each: row, in: '[1, 2]', at: y }
      do:
        - cells:
            for: { each: cell, in: ["a", "b"] }
            do: [{ 'no/te': { call: note, with: { text: '\${ "\\($row)\\($cell)\\($y)\\($index)" }' } } }]
`;
    const scenario = new Scenario(yaml, { host });
    expect(await scenario.output()).toBe('2b11');
    expect(scenario.steps).toEqual([
      '/do/0/rows/do/0/cells#0/do/0/no~1te#0',
      '/do/0/rows/do/0/cells#0/do/0/no~1te#1',
      '/do/0/rows/do/0/cells#1/do/0/no~1te#0',
      '/do/0/rows/do/0/cells#1/do/0/no~1te#1',
    ]);
    const [record] = scenario.run.records.values();
    expect(record?.step.task).toBe('/do/0/rows/do/0/cells/do/0/no~1te');
  });

  it('repeats a loop only while its condition holds', async () => {
    const yaml = `do: [{ loop: { for: { in: .items }, while: .sum < 3, do: [{ add: { set: { sum: '\${ .sum + $item }' } } }] } }]`;
    expect(await new Scenario(yaml, { input: { items: [1, 2, 3, 4], sum: 0 } }).output()).toEqual({ sum: 3 });
  });

  it('loops over an array literal in the definition', async () => {
    const yaml = `do: [{ loop: { for: { in: [{ n: 1 }, { n: 2 }] }, do: [{ add: { set: { sum: '\${ .sum + $item.n }' } } }] } }]`;
    expect(await new Scenario(yaml, { input: { sum: 0 } }).output()).toEqual({ sum: 3 });
  });

  it('says what a loop needs', async () => {
    const yaml = 'do: [{ loop: { for: { in: .items }, do: [{ a: { set: {} } }] } }]';
    expect(await new Scenario(yaml, { input: { items: { a: 1 } } }).problem()).toMatchObject({
      status: 400,
      detail: '`for.in` must give an array, but gave an object.',
      instance: '/do/0/loop',
    });
  });

  it('evaluates no condition of a switch behind the one that holds', async () => {
    const yaml = `
do:
  - choose: { switch: [{ first: { when: '.n == 1', then: end } }, { second: { when: '.n | error("bad")', then: end } }] }
`;
    expect(await new Scenario(yaml, { input: { n: 1 } }).output()).toEqual({ n: 1 });
    expect(await new Scenario(yaml, { input: { n: 2 } }).problem()).toMatchObject({ status: 400 });
  });

  it('fails when `then` names no task of the list', async () => {
    const yaml = 'do: [{ a: { set: {}, then: nowhere } }]';
    expect(await new Scenario(yaml, { isInvalid: true }).problem()).toMatchObject({ status: 400, instance: '/do/0/a' });
  });

  it('calls functions of the workflow with their arguments as input', async () => {
    const host = new TestHost({ greet: ({ name = null }) => `Hello ${textOf(name)}` });
    const yaml = `
use:
  functions:
    welcome: { do: [{ say: { call: greet, with: { name: '\${ .who }' } } }, { shout: { set: { text: '\${ . + "!" }' } } }] }
do:
  - one: { call: welcome, with: { who: '\${ .name }' } }
  - two: { call: welcome, input: { from: '{ who: .text }' } }
`;
    const scenario = new Scenario(yaml, { input: { name: 'Ada' }, host });
    expect(await scenario.output()).toEqual({ text: 'Hello Hello Ada!!' });
    expect(scenario.steps).toEqual([
      '/do/0/one/use/functions/welcome/do/0/say',
      '/do/1/two/use/functions/welcome/do/0/say',
    ]);
  });

  it('evaluates texts without ${ } in loose mode, and takes them as they are when that fails', async () => {
    const yaml = `
evaluate: { mode: loose }
do: [{ a: { set: { sum: '1 + 2', text: 'no expression!', marked: '\${ 3 }', path: .n } } }]
`;
    expect(await new Scenario(yaml, { input: { n: 5 } }).output()).toEqual({
      sum: 3,
      text: 'no expression!',
      marked: 3,
      path: 5,
    });
  });

  it('waits until its time has come, in whichever process', async () => {
    const scenario = new Scenario('do: [{ wait: { wait: { days: 2 } } }]', {
      input: 1,
      steps: { isTimePassing: false },
    });
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    scenario.run.advance(86_400_000);
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    scenario.run.advance(86_400_000);
    expect(await scenario.output()).toBe(1);
  });

  it('waits until a time that is computed, and not at all once it is over', async () => {
    const yaml = `
do:
  - wait: { wait: { until: '\${ .at }' } }
  - again: { wait: { until: '2026-01-02T00:00:00Z' } }
  - times: { set: { at: '\${ $task.startedAt.iso8601 }' } }
`;
    const input = { at: '2026-01-03T01:00:00+01:00' };
    const scenario = new Scenario(yaml, {
      input,
      steps: { isTimePassing: false, startedAt: '2026-01-01T00:00:00.000Z' },
    });
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    scenario.run.advance(86_400_000);
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    scenario.run.advance(86_400_000);
    expect(await scenario.output()).toEqual({ at: expect.stringMatching(/^2026-01-03T00:00:00/) as string });
  });

  it('fails when it should wait until an invalid time', async () => {
    const scenario = new Scenario(`do: [{ wait: { wait: { until: '\${ .at }' } } }]`, { input: { at: 'noon' } });
    expect(await scenario.execute()).toMatchObject({
      status: 'failed',
      error: { problem: { status: 400, instance: '/do/0/wait' } },
    });
  });

  it('never lets the time go back, where a step is recorded by a clock that is late', async () => {
    const yaml = `
do:
  - wait: { wait: { hours: 1 } }
  - late: { call: late }
  - times: { set: { task: '\${ $task.startedAt.epoch.seconds }' } }
`;
    const host: TestHost = new TestHost({ late: () => (scenario.run.advance(-600_000), null) });
    const scenario = new Scenario(yaml, { host, steps: { startedAt: '2026-01-01T00:00:00.000Z' } });
    expect(await scenario.output()).toEqual({ task: 1_767_229_200 });
  });

  it('reads the recorded time, which is the same in each execution', async () => {
    const yaml = `
do:
  - wait: { wait: { hours: 1 } }
  - times:
      set:
        now: '\${ now | floor }'
        task: '\${ $task.startedAt.epoch.seconds }'
        began: '\${ $workflow.startedAt.iso8601 }'
        id: '\${ $workflow.id }'
        name: '\${ $task.name + " " + $task.reference }'
        title: '\${ $workflow.definition.document.name }'
`;
    const scenario = new Scenario(yaml, { steps: { startedAt: '2026-01-01T00:00:00.000Z' } });
    const output = await scenario.output();
    expect(output).toEqual({
      now: 1_767_229_200,
      task: 1_767_229_200,
      began: '2026-01-01T00:00:00.000Z',
      id: 'run-1',
      name: 'times /do/1/times',
      title: 'tested',
    });
    scenario.run.advance(86_400_000);
    expect(await scenario.output()).toEqual(output);
  });

  it("puts the input that an administrator gives in the place of a task's", async () => {
    const yaml = `do: [{ a: { set: { n: 1 } } }, { b: { input: { from: .n }, set: { got: '\${ . }' } } }]`;
    const scenario = new Scenario(yaml, { steps: { replacedInputs: { '/do/1/b': 42 } } });
    expect(await scenario.output()).toEqual({ got: 42 });
  });
});

describe('hostile workflows', () => {
  const LOOP = `do: [{ a: { set: { n: '\${ .n }' } } }, { b: { set: {}, then: a } }]`;

  it('end with a clear error when they loop for ever', async () => {
    expect(await new Scenario(LOOP).problem()).toMatchObject({
      status: 500,
      detail: 'The workflow has executed 100000 tasks, which is the limit. Look for an endless loop.',
    });
  });

  it('let others have the main thread meanwhile', async () => {
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await new Scenario(LOOP).problem();
    isOver = true;
    expect(turns).toBeGreaterThan(3);
  });

  it('end when they do too many steps', async () => {
    const host = new TestHost({ nothing: () => null });
    const scenario = new Scenario('do: [{ a: { call: nothing, then: a } }]', { host, limits: { steps: 50 } });
    expect(await scenario.problem()).toMatchObject({
      status: 500,
      detail: expect.stringContaining('50 steps') as string,
    });
    expect(host.calls).toHaveLength(50);
  });

  it('end when their steps return too much together', async () => {
    const host = new TestHost({ large: () => 'x'.repeat(400) });
    const scenario = new Scenario('do: [{ a: { call: large, then: a } }]', { host, limits: { data: 2_000 } });
    expect(await scenario.problem()).toMatchObject({
      status: 500,
      detail: expect.stringContaining('more than 2000 characters of JSON') as string,
    });
    expect(host.calls).toHaveLength(5);
  });

  it('fail when their branches return too much together', async () => {
    const host = new TestHost({ large: () => 'x'.repeat(900_000) });
    const branches = (count: number) =>
      `do: [{ f: { fork: { branches: [${Array.from({ length: count }, (_, n) => `{ b${n}: { call: large } }`).join(', ')}] } } }]`;
    expect(await new Scenario(branches(8), { host }).output()).toHaveLength(8);
    expect(await new Scenario(branches(9), { host }).problem()).toMatchObject({
      status: 500,
      detail: expect.stringContaining('more than 8000000 characters of JSON together') as string,
    });
  });

  it('cannot catch that they have exceeded a limit', async () => {
    const yaml = `
do:
  - outer:
      try: [{ a: { try: [{ b: { set: {}, then: b } }], catch: { retry: {}, do: [{ c: { set: {} } }] } } }]
      catch: { retry: {} }
      then: outer
`;
    expect(await new Scenario(yaml, { limits: { tasks: 200 } }).problem()).toMatchObject({ status: 500 });
    const last = 'do: [{ a: { try: [{ b: { set: {}, then: b } }], catch: {} } }]';
    expect(await new Scenario(last, { limits: { tasks: 200 } }).problem()).toMatchObject({ status: 500 });
  });

  it('count the tasks in the rounds of a loop once, and rounds without tasks', async () => {
    const loop = (tasks: string) => `do: [{ a: { for: { in: '[range(10)]' }, do: [${tasks}] } }]`;
    const outcome = (tasks: string, most: number) => new Scenario(loop(tasks), { limits: { tasks: most } });
    expect(await outcome('{ b: { set: { n: 1 } } }', 11).output()).toEqual({ n: 1 });
    expect(await outcome('{ b: { set: { n: 1 } } }', 10).problem()).toMatchObject({ status: 500 });
    expect(await outcome('', 11).output()).toEqual({});
    expect(await outcome('', 10).problem()).toMatchObject({ status: 500 });
  });

  it('end when a retry policy without a limit never gets on', async () => {
    const yaml = `do: [{ a: { try: [{ b: { raise: { error: { type: x, status: 500 } } } }], catch: { retry: {} } } }]`;
    expect(await new Scenario(yaml, { limits: { tasks: 200 } }).problem()).toMatchObject({ status: 500 });
  });

  it('end when functions call themselves', async () => {
    const yaml = `{ use: { functions: { f: { call: f } } }, do: [{ a: { call: f } }] }`;
    expect(await new Scenario(yaml).problem()).toMatchObject({
      status: 500,
      detail: expect.stringContaining('nested deeper than 100 levels') as string,
    });
  });

  it.each([
    ['characters', 'x'.repeat(900)],
    ['bytes', '字'.repeat(300)],
  ])('end when names of steps have too many %s for a database', async (_what, name) => {
    const host = new TestHost({ nothing: () => null });
    const yaml = `do: [{ ${name}: { do: [{ ${name}: { do: [{ ${name}: { call: nothing } }] } }] } }]`;
    expect(await new Scenario(yaml, { host, isInvalid: true }).problem()).toMatchObject({
      detail: expect.stringContaining('too long') as string,
    });
  });

  it('execute a thousand branches', async () => {
    const branches = Array.from({ length: 1000 }, (_, n) => `{ b${n}: { set: ${`'\${ ${n} }'`} } }`).join(', ');
    const yaml = `do: [{ all: { fork: { branches: [${branches}] } } }]`;
    const output = await new Scenario(yaml, { isInvalid: true }).output();
    expect(output).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  });
});
