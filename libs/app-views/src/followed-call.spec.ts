import { jest } from '@jest/globals';
import { FollowedCall } from './followed-call';
import type { Json } from './json';
import type { Run } from './run';

const QUESTION = { step: '/do/0/ask', message: 'May I?', schema: {}, notCaller: false };

describe('FollowedCall', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** A view in a host whose service has one run. */
  const opened = () => {
    const calls: { name: string; args: Json }[] = [];
    const shown: Run[] = [];
    const told: string[] = [];
    let held: Promise<void> | null = null;
    const run = { id: 'r1', name: 'digest', status: 'waiting', steps: [{ label: 'ask', status: 'waiting' }] };
    const host = {
      canCallTools: true,
      callTool: (name: string, args: Json): Promise<Json> => {
        calls.push({ name, args });
        const isStatus = name === 'run_status';
        const result = { structuredContent: { ...run }, _meta: { 'agent-service/answer-token': 'the token' } };
        const until = held ?? Promise.resolve();
        held = null;
        return until.then(() => (isStatus ? result : { content: [] }));
      },
      updateModel: (text: string) => Promise.resolve(void told.push(text)),
    };
    const screen = { showCall: () => {}, showNotice: () => {}, showRun: (one: Run) => void shown.push(one) };
    /** Holds back the next answer until the returned function is called. */
    const hold = () => {
      let release = () => {};
      held = new Promise((resolve) => (release = resolve));
      return () => release();
    };
    return { call: new FollowedCall(host, screen), calls, shown, told, run, hold };
  };

  it('shows the run that a call has become at once, before a second has passed', async () => {
    const { call, shown } = opened();
    call.ended({ content: [{ type: 'text', text: 'It is run://r1 now.' }] });
    await jest.advanceTimersByTimeAsync(0);
    expect(shown).toMatchObject([{ name: 'digest', steps: [{ label: 'ask' }] }]);
    call.stop();
  });

  it('answers with the token of the run, which it asks for when it has none', async () => {
    const { call, calls, run } = opened();
    call.ended({ structuredContent: run });
    await call.answer(QUESTION, { action: 'accept', content: { reason: 'It is right.' } });
    expect(calls.map(({ name }) => name)).toEqual(['run_status', 'run_answer', 'run_status']);
    expect(calls[1]?.args).toEqual({
      id: 'r1',
      step: '/do/0/ask',
      action: 'accept',
      token: 'the token',
      content: { reason: 'It is right.' },
    });
    call.stop();
  });

  it('keeps the token while the host leaves it out', async () => {
    const { call, calls, run } = opened();
    call.ended({ structuredContent: run, _meta: { 'agent-service/answer-token': 'the first token' } });
    call.ended({ structuredContent: run });
    await call.answer(QUESTION, { action: 'decline', content: null });
    expect(calls[0]).toMatchObject({ name: 'run_answer', args: { token: 'the first token' } });
    call.stop();
  });

  it('tells the model once that the run has ended, and not after it stopped following it', async () => {
    const { call, run, told } = opened();
    call.ended({ structuredContent: run });
    run.status = 'completed';
    await jest.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual(['The run r1 of digest is completed. Call run_status for its result.']);
    await call.cancel();
    expect(told).toHaveLength(1);
  });

  it('shows no earlier state of the run after a later one', async () => {
    const { call, run, shown, hold } = opened();
    call.ended({ structuredContent: run });
    const release = hold();
    await jest.advanceTimersByTimeAsync(1_000);
    run.status = 'cancelled';
    await call.cancel();
    release();
    await jest.advanceTimersByTimeAsync(0);
    expect(shown.map(({ status }) => status)).toEqual(['waiting', 'cancelled']);
  });

  it('polls every second at first, and later every five', async () => {
    const { call, calls } = opened();
    call.ended({ content: [{ type: 'text', text: 'run://r1' }] });
    await jest.advanceTimersByTimeAsync(3_200);
    expect(calls).toHaveLength(4);
    await jest.advanceTimersByTimeAsync(200_000);
    const before = calls.length;
    await jest.advanceTimersByTimeAsync(50_000);
    expect(calls.length - before).toBe(10);
    call.stop();
  });
});
