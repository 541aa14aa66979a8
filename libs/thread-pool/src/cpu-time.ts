import type { Worker } from 'node:worker_threads';

/** Factor by which wall-clock time may exceed the limit when the machine gives the thread little CPU. */
const PATIENCE_FACTOR = 20;

interface CpuTimeLimit {
  /** CPU time that the job may use, and the time for which it may wait for events. */
  limitMs: number;
  /** CPU time that the thread had used before the job. */
  usedMs: number;
}

/**
 * Calls `onOver` when the job of a thread has used up its time, and at the latest after 20 times as long. Its CPU time counts, and
 * the time in which its event loop is idle, but not the time in which a busy machine runs something else. Returns a function that
 * ends the watch.
 */
export function watchCpuTime(
  thread: Pick<Worker, 'cpuUsage' | 'performance'>,
  { limitMs, usedMs }: CpuTimeLimit,
  onOver: () => void,
): () => void {
  const endMs = performance.now() + limitMs * PATIENCE_FACTOR;
  const before = thread.performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | null = null; // null = the watch has ended
  const checkIn = (ms: number) => {
    if (timer) clearTimeout(timer);
    // Fails when the thread has ended.
    timer = setTimeout(() => void check().catch(nothing), ms).unref();
  };
  const check = async () => {
    if (performance.now() >= endMs) return onOver();
    checkIn(endMs - performance.now()); // the thread may not answer
    const { user, system } = await thread.cpuUsage();
    if (!timer) return;
    const { idle } = thread.performance.eventLoopUtilization(before);
    const leftMs = limitMs - ((user + system) / 1000 - usedMs) - idle;
    if (leftMs <= 0) onOver();
    else checkIn(leftMs);
  };
  checkIn(limitMs);
  return () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
}

const nothing = (): void => undefined;
