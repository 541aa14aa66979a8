import { withServer } from './bench-server.js';
import type { ServerProcess } from '../test/harness/server-process.js';
import type { LoadGenerator } from './load/load-generator.js';
import { median } from './median.js';
import type { Subject } from './subjects.js';

export interface CallCost {
  subject: Subject;
  /** Of all rounds the median. */
  cpuMicros: number;
  /** Of each round. */
  rounds: readonly number[];
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Effort {
  rounds: number;
  /** Requests in one batch of the warm-up. */
  warmUp: number;
  requests: number;
  connections: number;
}

/** Rounds go over all subjects in turn, so that whatever else the machine does hits all alike. */
export async function measureCalls(
  subjects: readonly Subject[],
  load: LoadGenerator,
  effort: Effort,
  say: (line: string) => void,
): Promise<CallCost[]> {
  const rounds: CallCost[] = [];
  for (let round = 1; round <= effort.rounds; round += 1) {
    for (const subject of subjects) {
      const cost = await measureOnce(subject, load, effort);
      say(`round ${round}: ${subject.title}: ${cost.cpuMicros.toFixed(1)} us`);
      rounds.push(cost);
    }
  }
  return subjects.map((subject) => medianOf(rounds.filter((cost) => cost.subject === subject)));
}

function measureOnce(subject: Subject, load: LoadGenerator, effort: Effort): Promise<CallCost> {
  return withServer(subject, async (server, target) => {
    await load.do('connect', { target, connections: effort.connections });
    await settle(server, load, effort);
    const before = await server.ask('cpu');
    const { durationMs, latenciesMs } = await load.do('call', { requests: effort.requests });
    const cpu = (await server.ask('cpu')) - before;
    const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? NaN;
    const cpuMicros = cpu / effort.requests;
    return {
      subject,
      cpuMicros,
      rounds: [cpuMicros],
      perSecond: (effort.requests / durationMs) * 1_000,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    };
  });
}

/** Warms the connected server up, and returns its processor time for one request, in microseconds. */
export async function settledCpu(server: ServerProcess, load: LoadGenerator, effort: Effort): Promise<number> {
  await settle(server, load, effort);
  const before = await server.ask('cpu');
  await load.do('call', { requests: effort.requests });
  return ((await server.ask('cpu')) - before) / effort.requests;
}

/**
 * Warms up until batches cost hardly less than the cheapest before, twice in a row, since one may be dear by chance: a
 * server with more code to compile takes longer until it runs as it will for days.
 */
async function settle(server: ServerProcess, load: LoadGenerator, { warmUp }: Effort): Promise<void> {
  let [least, inARow] = [Infinity, 0];
  for (let batch = 0; batch < MOST_BATCHES && inARow < 2; batch += 1) {
    const before = await server.ask('cpu');
    await load.do('call', { requests: warmUp });
    const cpu = (await server.ask('cpu')) - before;
    inARow = cpu > least * SETTLED ? inARow + 1 : 0;
    least = Math.min(least, cpu);
  }
}

const MOST_BATCHES = 10;
const SETTLED = 0.95;

function medianOf(costs: readonly CallCost[]): CallCost {
  const [first] = costs;
  if (!first) throw new Error('nothing was measured');
  return {
    subject: first.subject,
    cpuMicros: median(costs.map((cost) => cost.cpuMicros)),
    rounds: costs.map((cost) => cost.cpuMicros),
    perSecond: median(costs.map((cost) => cost.perSecond)),
    p50Ms: median(costs.map((cost) => cost.p50Ms)),
    p99Ms: median(costs.map((cost) => cost.p99Ms)),
  };
}
