import { Agent, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Target, WireClient } from './wire.js';

/** The commands of the load generator, which is a separate process. */
export interface Orders {
  /** Connects clients that call `tool`, each with one connection, and with the keys of `clients` in turn. */
  connect: { target: Target; connections: number; clients?: Target[]; tool?: string };
  /** Spreads calls over the connected clients; each sends its next call after the response to the last. */
  call: { requests: number };
  /** Calls a tool at a steady rate for each target, without waiting for responses. */
  steady: { targets: Target[]; tool: string; perSecond: number; seconds: number };
  /** Calls a tool over many connections; each sends the next call after a response of any kind. */
  flood: { target: Target; connections: number; tool: string; bytes: number; seconds: number };
  /** Opens sessions over 16 connections, and makes one call in each. */
  openSessions: { target: Target; sessions: number };
  /** Opens notification streams, and watches them. */
  openStreams: { target: Target; streams: number };
  /** Waits until every stream has received `tools/list_changed`. */
  awaitListChanged: { timeoutMs: number };
}

export interface Reports {
  connect: null;
  /** Sorted, in milliseconds. */
  call: { durationMs: number; latenciesMs: number[] };
  /** Sorted, in milliseconds, from when a call was due. */
  steady: { latenciesMs: number[] };
  flood: { answered: number; refused: number };
  openSessions: null;
  openStreams: null;
  /** When the last stream was notified, in milliseconds since the epoch. */
  awaitListChanged: { reached: number; lastAt: number };
}

type Name = keyof Orders;
type Work = { [N in Name]: (order: Orders[N]) => Promise<Reports[N]> };

let clients: WireClient[] = [];
let called = 'tool_0';
const told: Promise<number>[] = [];

const work: Work = {
  connect: async ({ target, connections, clients: targets = [target], tool = 'tool_0' }) => {
    called = tool;
    clients = Array.from(
      { length: connections },
      (_, number) => new WireClient(targets[number % targets.length] ?? target),
    );
    await Promise.all(clients.map((client) => client.open()));
    return null;
  },

  call: async ({ requests }) => {
    const latenciesMs: number[] = [];
    let left = requests;
    const startedAt = performance.now();
    const run = async (client: WireClient) => {
      while (left-- > 0) {
        const sentAt = performance.now();
        await client.call(called);
        latenciesMs.push(performance.now() - sentAt);
      }
    };
    const goToSleep = stayAwake();
    await Promise.all(clients.map(run));
    goToSleep();
    return { durationMs: performance.now() - startedAt, latenciesMs: latenciesMs.sort((a, b) => a - b) };
  },

  steady: async ({ targets, tool, perSecond, seconds }) => {
    const callers = targets.map((target) => new WireClient(target, new Agent({ keepAlive: true })));
    const gapMs = 1_000 / (perSecond * callers.length);
    const startedAt = performance.now();
    const calls = Array.from({ length: perSecond * callers.length * seconds }, async (_, index) => {
      const dueAt = startedAt + index * gapMs;
      await delay(Math.max(0, dueAt - performance.now()));
      const { status, body } = (await callers[index % callers.length]?.callTool(tool, {})) ?? {};
      if (status !== 200) throw new Error(`a call of another was answered with ${status}: ${body}`);
      return performance.now() - dueAt;
    });
    return { latenciesMs: (await Promise.all(calls)).sort((a, b) => a - b) };
  },

  flood: async ({ target, connections, tool, bytes, seconds }) => {
    const counts = { answered: 0, refused: 0 };
    const text = 'x'.repeat(bytes);
    const endsAt = performance.now() + seconds * 1_000;
    const run = async () => {
      const client = new WireClient(target);
      while (performance.now() < endsAt) {
        // Reopens a closed connection.
        const { status } = await client.callTool(tool, { text }).catch(() => ({ status: 0 }));
        counts[status === 200 ? 'answered' : 'refused'] += 1;
      }
      client.close();
    };
    await Promise.all(Array.from({ length: connections }, run));
    return counts;
  },

  openSessions: async ({ target, sessions }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    await inParallel(sessions, 16, async () => {
      const client = new WireClient(target, agent);
      await client.open();
      await client.call();
    });
    agent.destroy();
    return null;
  },

  openStreams: async ({ target, streams }) => {
    await inParallel(streams, 16, async () => {
      const client = new WireClient(target, new Agent({ keepAlive: true, maxSockets: 2 }));
      await client.open();
      const stream = await client.listen();
      if (stream.statusCode !== 200) throw new Error(`a stream was answered with ${stream.statusCode}`);
      told.push(listChangedOn(stream));
    });
    return null;
  },

  awaitListChanged: async ({ timeoutMs }) => {
    const never = new Promise<number>((resolve) => setTimeout(resolve, timeoutMs, NaN));
    const times = await Promise.all(told.map((one) => Promise.race([one, never])));
    const reached = times.filter((time) => !Number.isNaN(time));
    return { reached: reached.length, lastAt: Math.max(...reached) };
  },
};

/**
 * Keeps the core of this process busy until the returned function is called. In a virtual machine, waking an idle core costs the sender up
 * to 40 us, which would distort the comparison of fast and slow servers.
 */
function stayAwake(): () => void {
  let isAwake = true;
  const turn = () => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}

function listChangedOn(stream: IncomingMessage): Promise<number> {
  return new Promise((resolve) => {
    let seen = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      seen += chunk;
      if (seen.includes('notifications/tools/list_changed')) resolve(Date.now());
    });
    stream.on('error', () => {}); // the server ends after the measurement
  });
}

async function inParallel(times: number, width: number, task: () => Promise<void>): Promise<void> {
  let left = times;
  const worker = async () => {
    while (left-- > 0) await task();
  };
  await Promise.all(Array.from({ length: width }, worker));
}

async function obey<N extends Name>(name: N, order: Orders[N]): Promise<void> {
  try {
    process.send?.({ name, report: await work[name](order) });
  } catch (error) {
    process.send?.({ name, problem: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', ({ name, order }: { name: Name; order: Orders[Name] }) => void obey(name, order));
process.on('disconnect', () => process.exit(0));
