import { Access, ACCESS_ENV } from './access.js';
import { withServer } from './bench-server.js';
import { LoadGenerator } from './load/load-generator.js';
import type { Target } from './load/wire.js';
import { SERVICE } from './subjects.js';

/** How a flood affects the calls of other clients. */
export interface Unfairness {
  flood: string;
  /** Latency of the others' calls, before and during the flood. */
  beforeMs: number;
  duringMs: number;
  /** Answered requests of the flood per second, and how many of them were refused. */
  floodPerSecond: number;
  refusedPerSecond: number;
}

interface Flood {
  title: string;
  connections: number;
  tool: string;
  /** Size of an argument. */
  bytes: number;
}

const FLOODS: readonly Flood[] = [
  { title: 'cheap calls on 200 connections', connections: 200, tool: 'tool_0', bytes: 5 },
  { title: 'calls of 1 s on 1,500 connections', connections: 1_500, tool: 'slow', bytes: 5 },
  { title: 'calls with 3 MB on 50 connections', connections: 50, tool: 'tool_0', bytes: 3_000_000 },
];
const OTHERS = 5;
const CALLS_PER_SECOND = 20;
/** Requests until V8 has optimized the code of a call. */
const WARM_UP = 60_000;
/** How long a flood lasts before and after the measurement. */
const SETTLING_S = 2;

/** Measures the calls of five clients, each at a steady rate, before and while a sixth floods the service. */
export async function measureFairness(seconds: number, say: (line: string) => void): Promise<Unfairness[]> {
  const found: Unfairness[] = [];
  for (const flood of FLOODS) {
    const subject = { ...SERVICE.modern10, env: { ...ACCESS_ENV, SLOW_MS: '1000' } };
    const unfairness = await withServer(subject, (_server, target) => measureOne(flood, target, seconds));
    say(`${flood.title}: p99 of others ${unfairness.beforeMs.toFixed(2)} -> ${unfairness.duringMs.toFixed(2)} ms`);
    found.push(unfairness);
  }
  return found;
}

async function measureOne(flood: Flood, target: Target, seconds: number): Promise<Unfairness> {
  // As if the flood came from another machine, and the others never waited for this one's cores.
  const [steady, flooder] = [new LoadGenerator(-20), new LoadGenerator(19)];
  try {
    const [flooding, ...others] = await new Access(target).clients(OTHERS + 1);
    if (!flooding) throw new Error('there are clients');
    const rate = { targets: others, tool: 'system_info', perSecond: CALLS_PER_SECOND };
    await flooder.do('connect', { target: flooding, connections: 16 });
    await flooder.do('call', { requests: WARM_UP });
    await steady.do('steady', { ...rate, seconds: 2 });
    const before = await steady.do('steady', { ...rate, seconds });
    const flooded = flooder.do('flood', { ...flood, target: flooding, seconds: seconds + 2 * SETTLING_S });
    await new Promise((resolve) => setTimeout(resolve, SETTLING_S * 1_000));
    const during = await steady.do('steady', { ...rate, seconds });
    const { answered, refused } = await flooded;
    return {
      flood: flood.title,
      beforeMs: p99(before.latenciesMs),
      duringMs: p99(during.latenciesMs),
      floodPerSecond: answered / (seconds + 2 * SETTLING_S),
      refusedPerSecond: refused / (seconds + 2 * SETTLING_S),
    };
  } finally {
    steady.stop();
    flooder.stop();
  }
}

const p99 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
