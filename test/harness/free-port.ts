import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

// Below the ephemeral ports (from 32768 on Linux): no outgoing connection can take a port before its server listens on it.
const FIRST = 11_000; // fetch blocks ports up to 10080
const PORTS_PER_WORKER = 1000;
const WORKERS = 20;
const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;
let at = randomInt(PORTS_PER_WORKER);

/** Returns a free port on loopback, from a range that belongs to this Jest worker only. */
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

/** Returns whether a server listens on the port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
