import { monitorEventLoopDelay } from 'node:perf_hooks';

interface Stalling<Result> {
  result: Result;
  stallMs: number;
  /** CPU time. */
  busiestMs: number;
}

/** Returns the longest time that work blocked the event loop, and the CPU time of its busiest turn. */
export async function stalling<Result>(work: () => Promise<Result>): Promise<Stalling<Result>> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let busiest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    busiest = Math.max(busiest, user + system);
    before = process.threadCpuUsage();
  }, 1);
  delay.enable();
  const result = await work();
  delay.disable();
  clearInterval(timer);
  return { result, stallMs: delay.max / 1e6, busiestMs: busiest / 1e3 };
}
