import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '../test/harness/server-process.js';
import { withServer } from './bench-server.js';
import type { LoadGenerator } from './load/load-generator.js';
import { median } from './median.js';
import { SERVICE } from './subjects.js';

/** Heap size of an idle 2025 session that has made a call, in bytes. */
export function measureSessionHeap(load: LoadGenerator, sessions: number): Promise<number> {
  return withServer(SERVICE.session10, async (server, target) => {
    await load.do('openSessions', { target, sessions: 200 }); // compiled code and caches do not count
    const before = await server.ask('heap');
    await load.do('openSessions', { target, sessions });
    return ((await server.ask('heap')) - before) / sessions;
  });
}

export interface Fanout {
  streams: number;
  reached: number;
  lastMs: number;
}

/** Half of the streams are of the 2025 era, half are 2026-07-28 subscriptions; then one skill is removed. */
export function measureFanout(load: LoadGenerator, streams: number): Promise<Fanout> {
  return withServer(SERVICE.session10, async (server, target) => {
    await load.do('openStreams', { target, streams: streams / 2 });
    await load.do('openStreams', { target: { ...target, wire: '2026' }, streams: streams / 2 });
    const reached = load.do('awaitListChanged', { timeoutMs: 10_000 });
    const at = Date.now();
    server.tell({ remove: 'tool_9' });
    const report = await reached;
    return { streams, reached: report.reached, lastMs: report.lastAt - at };
  });
}

/** From the start of the process to `mcp: running`, with an existing database, in milliseconds. */
export async function measureStart(times: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const starts: number[] = [];
  for (let time = 0; time <= times; time += 1) {
    const startedAt = performance.now();
    const server = await ServerProcess.start({
      script: 'bin/start.js',
      env: { DATA_DIR: dataDir, MCP_API_KEY: 'a-key-for-the-benchmark', LOG_LEVEL: 'warn' },
    });
    starts.push(performance.now() - startedAt);
    await server.stop();
  }
  await rm(dataDir, { recursive: true, force: true });
  return median(starts.slice(1)); // the first start created the database
}
