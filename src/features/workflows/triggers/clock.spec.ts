import { jest } from '@jest/globals';
import { TriggerClock } from './clock.js';

const DAY_MS = 86_400_000;

describe('TriggerClock', () => {
  beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') }));
  afterEach(() => void jest.useRealTimers());

  const waiting = (time: string) => {
    const clock = new TriggerClock();
    const calls: string[] = [];
    const cancel = clock.at(new Date(time), () => calls.push(clock.now().toISOString()));
    return { calls, cancel };
  };

  it('calls at the time, once', () => {
    const { calls } = waiting('2026-11-21T12:00:07.5Z');
    jest.advanceTimersByTime(7_499);
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(DAY_MS);
    expect(calls).toEqual(['2026-11-21T12:00:07.500Z']);
  });

  it('waits longer than any timer can', () => {
    const { calls } = waiting('2027-03-01T06:00:00Z');
    jest.advanceTimersByTime(99 * DAY_MS);
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(DAY_MS);
    expect(calls).toEqual(['2027-03-01T06:00:00.000Z']);
  });

  it('follows the clock when it is set, within a minute', () => {
    const { calls } = waiting('2026-11-21T18:00:00Z');
    jest.setSystemTime(new Date('2026-11-21T18:30:00Z'));
    jest.advanceTimersByTime(60_000);
    expect(calls).toHaveLength(1);
  });

  it('calls early when the clock is set back, within a minute', () => {
    const { calls } = waiting('2027-11-21T12:00:00Z');
    jest.advanceTimersByTime(90_000);
    jest.setSystemTime(new Date('2026-11-21T11:00:00Z'));
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(60_000);
    expect(calls).toHaveLength(1);
    jest.advanceTimersByTime(DAY_MS);
    expect(calls).toHaveLength(1);
  });

  it('calls past alarms as soon as it can, and cancelled ones never', () => {
    const { calls } = waiting('2026-11-21T11:00:00Z');
    const { calls: none, cancel } = waiting('2026-11-21T12:01:30Z');
    jest.advanceTimersByTime(61_000);
    cancel();
    jest.advanceTimersByTime(DAY_MS);
    expect([calls.length, none.length]).toEqual([1, 0]);
  });
});
