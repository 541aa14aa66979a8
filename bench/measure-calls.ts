import { withServer } from './bench-server.js';
import type { ServerProcess } from '../test/harness/server-process.js';
import type { LoadGenerator } from './load/load-generator.js';
import { median } from './median.js';
import type { Subject } from './subjects.js';

export interface CallCost {
  subject: Subject;
  /** Median of all rounds. */
  cpuMicros: number;
  /** By round. */
  rounds: readonly number[];
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Effort {
  rounds: number;
  /** Number of warm-up requests: until V8 has optimized the code of a call, it costs twice as much. */
  warmUp: number;
  requests: number;
  connections: number;
}

/** Each round measures all subjects in turn, so that other load of the machine affects all alike. */
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
    await load.do('call', { requests: effort.warmUp });
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

/** Warms up the connected server, and returns its CPU time per request, in microseconds. */
export async function settledCpu(server: ServerProcess, load: LoadGenerator, effort: Effort): Promise<number> {
  await load.do('call', { requests: effort.warmUp });
  const before = await server.ask('cpu');
  await load.do('call', { requests: effort.requests });
  return ((await server.ask('cpu')) - before) / effort.requests;
}

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
