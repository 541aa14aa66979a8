import type { RunStep, RunSummary } from './use-runs';
import { durationOf, groupsOf, labelOf, spanOf, stateOf } from './step-rules';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const step = (name: string, more: Partial<RunStep> = {}): RunStep => ({
  name,
  task: name.replace(/[#~@]\d+/g, ''),
  attempt: 1,
  kind: 'effect',
  status: 'completed',
  starts: 1,
  input: null,
  output: null,
  error: null,
  question: null,
  child: null,
  wakeAt: null,
  startedAt: at(0),
  endedAt: at(1),
  isCut: false,
  ...more,
});
const run = (more: Partial<RunSummary> = {}): RunSummary => ({
  id: 'r1',
  program: 'workflow',
  name: 'digest',
  version: '1.0.0',
  status: 'running',
  origin: 'call',
  client: 'ide',
  parent: null,
  isTest: false,
  error: null,
  questions: 0,
  wakeAt: null,
  createdAt: at(0),
  updatedAt: at(0),
  endedAt: null,
  ...more,
});
const question = { message: 'May I?', schema: {} };

describe('groupsOf', () => {
  it('puts the attempts of a step together, in the order in which they began', () => {
    const groups = groupsOf([step('/do/0/fetch'), step('/do/1/save'), step('/do/0/fetch~2', { attempt: 2 })]);
    expect(groups.map(({ key, steps }) => [key, steps.map(({ attempt }) => attempt)])).toEqual([
      ['/do/0/fetch', [1, 2]],
      ['/do/1/save', [1]],
    ]);
  });

  it('groups the attempts of a step, even when its block is retried, too', () => {
    const steps = [step('/do/0/all/try/0/fetch'), step('/do/0/all~2/try/0/fetch'), step('/do/0/all~2/try/0/fetch~2')];
    expect(groupsOf(steps).map(({ key, steps: { length } }) => [key, length])).toEqual([['/do/0/all/try/0/fetch', 3]]);
  });

  it.each([
    ['/do/0/fetch', null],
    ['/do/0/each/for/do/0/fetch#2', 'iteration 2'],
    ['/do/0/each#1/for/do/0/fetch#2', 'iteration 1.2'],
    ['/do/0/fetch@3', 'visit 3'],
  ])('says which repetition %s is', (name, repetition) => {
    expect(groupsOf([step(name)])[0]).toMatchObject({ label: 'fetch', repetition });
  });
});

it('names a step after its task', () => {
  expect(labelOf({ task: '/do/0/read~1write', name: 'x' })).toBe('read/write');
  expect(labelOf({ task: '', name: 'whole' })).toBe('whole');
});

describe('spanOf', () => {
  it('places a step within the time of its run', () => {
    const ended = run({ endedAt: at(10) });
    expect(spanOf(step('a', { startedAt: at(2), endedAt: at(7) }), ended, new Date(at(60)))).toEqual({
      begin: 20,
      length: 50,
    });
  });

  it('ends a running step now', () => {
    const going = step('a', { status: 'started', startedAt: at(5), endedAt: null });
    expect(spanOf(going, run(), new Date(at(20)))).toEqual({ begin: 25, length: 75 });
  });

  it('shows a step that took no time at the end of a run', () => {
    const { begin, length } = spanOf(
      step('a', { startedAt: at(9), endedAt: at(9) }),
      run({ endedAt: at(9) }),
      new Date(),
    );
    expect(length).toBeGreaterThan(0);
    expect(begin + length).toBeLessThanOrEqual(100);
  });
});

it('measures how long a step takes', () => {
  expect(durationOf(step('a'), new Date(at(60)))).toBe(1000);
  expect(durationOf(step('a', { endedAt: null }), new Date(at(60)))).toBe(60_000);
});

it('distinguishes a step that waits for a person from one that waits for time', () => {
  expect(stateOf(step('a', { status: 'waiting' }))).toBe('waiting');
  expect(stateOf(step('a', { status: 'waiting', question }))).toBe('asking');
  expect(stateOf(step('a', { status: 'started' }))).toBe('running');
});
