import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below what the system gives out itself (from 32768 on Linux): no connection gets one before its server listens there.
const FIRST = 11_000; // above the last port that fetch refuses, 10080
const PORTS_PER_WORKER = 1000;
const WORKERS = 20;
const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;
let at = randomInt(PORTS_PER_WORKER);

/** A port of the loopback interface that nothing listens on, and that no other worker of Jest is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    at = (at + 1) % PORTS_PER_WORKER;
    const port = FIRST + worker * PORTS_PER_WORKER + at;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
