import { jest } from '@jest/globals';
import { watchCpuTime } from './cpu-time.js';

const LIMIT_MS = 100;

describe('watchCpuTime', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /**
   * Watches a thread that uses this part of the CPU, after `usedMs` before the job; null = it does not answer.
   * @param waits the part of the time in which it waits for events
   */
  function watched(share: number | null, { usedMs = 0, waits = 0 } = {}) {
    const begunAt = performance.now();
    const usedNow = () => usedMs + (performance.now() - begunAt) * (share ?? 0);
    const never = new Promise<never>(() => undefined);
    const cpuUsage = () => (share === null ? never : Promise.resolve({ user: usedNow() * 1000, system: 0 }));
    const eventLoopUtilization = (since = { idle: 0 }) => {
      const idle = 70 + (performance.now() - begunAt) * waits - since.idle;
      return { idle, active: 0, utilization: 0 };
    };
    const onOver = jest.fn();
    const thread = { cpuUsage, performance: { eventLoopUtilization } };
    const end = watchCpuTime(thread, { limitMs: LIMIT_MS, usedMs }, onOver);
    const after = async (ms: number) => {
      await jest.advanceTimersByTimeAsync(ms);
      return onOver.mock.calls.length > 0;
    };
    return { end, after };
  }

  it('is over when the job has used up its CPU time, and not what the thread did before', async () => {
    const { after } = watched(1, { usedMs: 5_000 });
    expect(await after(LIMIT_MS - 1)).toBe(false);
    expect(await after(2)).toBe(true);
  });

  it('goes on as long as a busy machine gives the thread little CPU', async () => {
    const { after } = watched(0.25);
    expect(await after(4 * LIMIT_MS - 1)).toBe(false);
    expect(await after(20)).toBe(true);
  });

  it.each([
    [0, 1],
    [0.5, 0.5],
  ])(
    'is over when the job has waited as long, with CPU time: %d of the time on the CPU, %d waiting',
    async (share, waits) => {
      const { after } = watched(share, { waits });
      expect(await after(LIMIT_MS - 1)).toBe(false);
      expect(await after(2)).toBe(true);
    },
  );

  it.each([0, null])('is over after 20 times as long in any case, when the share is %p', async (share) => {
    const { after } = watched(share);
    expect(await after(20 * LIMIT_MS - 1)).toBe(false);
    expect(await after(2)).toBe(true);
  });

  it.each([0.5, 1])('is never over after the watch has ended, also during a check: %d', async (share) => {
    const { end, after } = watched(share);
    jest.advanceTimersByTime(LIMIT_MS);
    end();
    expect(await after(30 * LIMIT_MS)).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });
});
