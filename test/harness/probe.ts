/**
 * Loaded with `--import` before a server under test: answers questions about the process over its IPC channel, so that
 * the server itself can stay exactly as it is shipped.
 */
export interface ProbeQuestion {
  probe: 'cpu' | 'heap';
  id: number;
}

/** `cpu`: microseconds of processor time used so far. `heap`: bytes in use after a garbage collection. */
export interface ProbeAnswer {
  id: number;
  value: number;
}

function answer(question: ProbeQuestion): number {
  if (question.probe === 'heap') {
    for (let round = 0; round < 3; round += 1) globalThis.gc?.(); // weak references need more than one collection
    return process.memoryUsage().heapUsed;
  }
  const { user, system } = process.cpuUsage();
  return user + system;
}

process.on('message', (message: Partial<ProbeQuestion>) => {
  if (message.probe === undefined || message.id === undefined) return;
  process.send?.({ id: message.id, value: answer({ probe: message.probe, id: message.id }) } satisfies ProbeAnswer);
});
process.channel?.unref();
