import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 20;
const GIVE_UP_MS = 60_000;

let [longestMs, isOver] = [0, false];
// Keeps its own connection: exhaustion of connections is tested elsewhere.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const req = request(String(workerData), { agent, timeout: GIVE_UP_MS }, (res) => {
      res.resume().on('end', resolve);
    });
    req.on('timeout', () => req.destroy(new Error('no answer')));
    req.on('error', reject).end();
  });
}

parentPort?.once('message', () => (isOver = true));
while (!isOver) {
  const startedAt = performance.now();
  try {
    await ask();
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  } catch {
    longestMs = Number.POSITIVE_INFINITY;
  }
  await new Promise((wake) => setTimeout(wake, EVERY_MS));
}
parentPort?.postMessage(longestMs);
