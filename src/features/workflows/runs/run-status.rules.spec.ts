import type { ListedStep, Run } from './run.js';
import { describeStatus, statusOf } from './run-status.rules.js';

const NOW = new Date('2026-11-26T10:00:00Z');
const PAGE = 'https://agents.example.com/admin/runs/r1';
const RUN: Run = {
  id: 'r1',
  program: 'workflow',
  name: 'digest',
  version: '1.0.0',
  status: 'running',
  origin: 'call',
  client: 'ada',
  parent: null,
  isTest: false,
  input: { secretly: 'long' },
  output: null,
  error: null,
  questions: 0,
  wakeAt: null,
  createdAt: new Date('2026-11-26T09:00:00Z'),
  updatedAt: NOW,
  endedAt: null,
};
const STEP: ListedStep = {
  name: '/do/0/each/do/0/a~1b#2',
  task: '/do/0/each/do/0/a~1b',
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
  startedAt: RUN.createdAt,
  endedAt: NOW,
  isCut: true,
};
const QUESTION = {
  runId: 'r1',
  step: '/do/1/ask',
  question: { message: 'Ship it?', schema: { type: 'object' } },
  notCaller: true,
  askedAt: NOW,
};

const status = (run: Partial<Run>, steps: Partial<ListedStep>[] = [], questions: (typeof QUESTION)[] = []) =>
  statusOf(
    { run: { ...RUN, ...run }, steps: steps.map((step) => ({ ...STEP, ...step })), stepCount: 7, questions },
    PAGE,
    NOW,
  );

describe('the status of a run', () => {
  it('names the steps as people named them, without what went in and came out', () => {
    const found = status({}, [{}, { name: '/do/1/send', task: '/do/1/send', status: 'started', endedAt: null }]);
    expect(found.steps.map(({ label, status }) => [label, status])).toEqual([
      ['a/b (2)', 'completed'],
      ['send', 'started'],
    ]);
    expect(found).toMatchObject({ uri: 'run://r1', stepsBefore: 5, page: PAGE });
    expect(JSON.stringify(found)).not.toContain('secretly');
    expect(describeStatus(found)).toBe(
      [
        'digest is running (run://r1), started 2026-11-26T09:00:00.000Z. People see it at https://agents.example.com/admin/runs/r1.',
        'Its last steps:',
        '- 5 before these',
        '- a/b (2): completed',
        '- send: started',
        'It has not ended. Call again with wait_seconds to wait for it.',
      ].join('\n'),
    );
  });

  it.each([
    ['is running', {}, [], /Call again with wait_seconds/],
    ['continues soon', { status: 'waiting', wakeAt: new Date(NOW.getTime() + 30_000) }, [], /Call again with wait_sec/],
    [
      'continues late',
      { status: 'waiting', wakeAt: new Date('2026-11-27T10:00:00Z') },
      [{ kind: 'sleep', status: 'waiting' }],
      'It waits until 2026-11-27T10:00:00.000Z. Do not poll: look again then.',
    ],
    [
      'waits for an event',
      { status: 'waiting' },
      [{ kind: 'event', status: 'waiting' }],
      'It waits for an event. Do not poll: look again then.',
    ],
    [
      'waits for an event for a while',
      { status: 'waiting', wakeAt: new Date('2026-11-27T10:00:00Z') },
      [{ kind: 'event', status: 'waiting' }],
      /^It waits for an event until 2026-11-27T10:00:00.000Z at most\. Do not poll/,
    ],
    [
      'waits for another run',
      { status: 'waiting' },
      [{ kind: 'child', status: 'waiting', child: 'r2' }],
      /look at that one, run_status with \{"id": "run:\/\/r2"\}/,
    ],
    ['was cancelled', { status: 'cancelled', endedAt: NOW }, [], /does not go on/],
    ['has failed', { status: 'failed', endedAt: NOW }, [], /call digest again.*admin\/runs\/r1/],
    ['is completed', { status: 'completed', endedAt: NOW }, [], /output is its result/],
  ] as [string, Partial<Run>, Partial<ListedStep>[], RegExp | string][])(
    'says what to do when it %s',
    (_state, run, steps, says) => {
      const { hint } = status(run, steps);
      if (typeof says === 'string') expect(hint).toBe(says);
      else expect(hint).toMatch(says);
    },
  );

  it('says who must answer, and where', () => {
    const found = status({ status: 'waiting', questions: 1 }, [{ kind: 'question', status: 'waiting' }], [QUESTION]);
    expect(found.waitsFor).toEqual([
      {
        step: '/do/1/ask',
        message: 'Ship it?',
        schema: { type: 'object' },
        notCaller: true,
        askedAt: NOW.toISOString(),
      },
    ]);
    expect(found.hint).toContain('(Ship it?). An administrator answers, whoever called cannot: https://agents');
    expect(found.hint).toContain('do not poll');
  });

  it('returns what came of it', () => {
    const done = status({ status: 'completed', output: { sum: 3 }, endedAt: NOW });
    expect(done.output).toEqual({ sum: 3 });
    expect(describeStatus(done)).toContain(
      'ended 2026-11-26T10:00:00.000Z. People see it at https://agents.example.com/admin/runs/r1.\nOutput: {"sum":3}\n',
    );
    const error = { type: 't', status: 500, title: 'Title', detail: `It broke. ${'x'.repeat(10_000)}` };
    const failed = status({ status: 'failed', error, endedAt: NOW }, [{ status: 'failed', error }]);
    expect(failed.error).toMatch(/^It broke\. x+$/);
    expect(describeStatus(failed)).toMatch(/^- a\/b \(2\): failed \(It broke.*\)$/m);
    expect(JSON.stringify(failed).length).toBeLessThan(2_500);
  });
});
