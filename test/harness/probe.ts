/**
 * Loaded with `--import` before a server under test: reports on the process over its IPC channel, so that the server itself
 * runs exactly as shipped.
 */
export interface ProbeQuestion {
  probe: 'cpu' | 'heap' | 'reject' | 'throw';
  id: number;
}

/**
 * `cpu`: microseconds of CPU time used so far. `heap`: bytes in use after a garbage collection. `reject` and `throw`: 0,
 * followed by an unhandled rejection or exception.
 */
export interface ProbeAnswer {
  id: number;
  value: number;
}

function answer(question: ProbeQuestion): number {
  if (question.probe === 'heap') {
    for (let round = 0; round < 3; round += 1) globalThis.gc?.(); // weak references need more than one collection
    return process.memoryUsage().heapUsed;
  }
  if (question.probe === 'reject') setImmediate(() => void Promise.reject(new Error('rejected by the probe')));
  if (question.probe === 'throw') setImmediate(() => throwIt());
  if (question.probe !== 'cpu') return 0;
  const { user, system } = process.cpuUsage();
  return user + system;
}

function throwIt(): never {
  throw new Error('thrown by the probe');
}

process.on('message', (message: Partial<ProbeQuestion>) => {
  if (message.probe === undefined || message.id === undefined) return;
  process.send?.({ id: message.id, value: answer({ probe: message.probe, id: message.id }) } satisfies ProbeAnswer);
});
process.channel?.unref();
