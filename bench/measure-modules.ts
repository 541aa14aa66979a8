import { readFile } from 'node:fs/promises';
import type { ServerProcess } from '../test/harness/server-process.js';
import { Access, ACCESS_ENV } from './access.js';
import { withServer } from './bench-server.js';
import type { LoadGenerator } from './load/load-generator.js';
import { type Effort, settledCpu } from './measure-calls.js';
import { median } from './median.js';
import { SERVICE } from './subjects.js';

/** The cost of skill modules. */
export interface ModuleCost {
  /** CPU of the service for a call of a built-in tool, and of the same tool in a module. */
  builtInMicros: number;
  moduleMicros: number;
  /** CPU of the skill host for a call. */
  hostMicros: number;
  /** The first call of a module, with the start of its thread. */
  firstCallMs: number;
  /** Resident memory of the host with one module, and what each of 49 more adds. */
  hostMegabytes: number;
  megabytesPerModule: number;
}

const MODULES = 50;
const TICK_MICROS = 10_000; // of /proc: a hundredth of a second
const PAGE_MEGABYTES = 4_096 / 1_048_576;
const codeOf = (number: number) => `export default {
  name: 'module_${number}', description: 'Answers with the same text.', annotations: { readOnlyHint: true },
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: () => 'constant answer',
};`;

/** Only on Linux, where /proc shows the CPU time and memory of other processes. */
export async function measureModules(load: LoadGenerator, effort: Effort): Promise<ModuleCost> {
  const rounds: ModuleCost[] = [];
  for (let round = 0; round < effort.rounds; round += 1) rounds.push(await measureOnce(load, effort));
  const of = (name: keyof ModuleCost) => median(rounds.map((one) => one[name]));
  return {
    ...{ builtInMicros: of('builtInMicros'), moduleMicros: of('moduleMicros'), hostMicros: of('hostMicros') },
    ...{ firstCallMs: of('firstCallMs'), hostMegabytes: of('hostMegabytes') },
    megabytesPerModule: of('megabytesPerModule'),
  };
}

function measureOnce(load: LoadGenerator, effort: Effort): Promise<ModuleCost> {
  return withServer({ ...SERVICE.modern10, env: ACCESS_ENV }, async (server, target) => {
    const access = new Access(target);
    const connect = (tool: string) =>
      load.do('connect', { target, connections: effort.connections, clients: [target], tool });
    await connect('tool_0');
    const builtInMicros = await settledCpu(server, load, effort);
    for (let number = 0; number < MODULES; number += 1) await access.module(`module_${number}.js`, codeOf(number));
    const host = await hostOf(server);
    const firstCalls: number[] = [];
    const sizes: number[] = [];
    for (let number = 0; number < MODULES; number += 1) {
      await connect(`module_${number}`);
      const startedAt = performance.now();
      await load.do('call', { requests: 1 });
      firstCalls.push(performance.now() - startedAt);
      sizes.push((await useOf(host)).megabytes);
    }
    const [first = NaN, last = NaN] = [sizes[0], sizes.at(-1)];
    const moduleMicros = await settledCpu(server, load, effort);
    const before = await useOf(host);
    await load.do('call', { requests: effort.requests });
    const hostMicros = ((await useOf(host)).micros - before.micros) / effort.requests;
    const megabytesPerModule = (last - first) / (MODULES - 1);
    return {
      builtInMicros,
      moduleMicros,
      hostMicros,
      firstCallMs: median(firstCalls),
      hostMegabytes: first,
      megabytesPerModule,
    };
  });
}

async function hostOf(server: ServerProcess): Promise<number> {
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
  return Number(children.trim().split(' ').at(-1));
}

async function useOf(pid: number): Promise<{ micros: number; megabytes: number }> {
  const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
  const [, , , , , , , , , , , user = '0', system = '0'] = fields.split(' ');
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1];
  return { micros: (Number(user) + Number(system)) * TICK_MICROS, megabytes: Number(pages) * PAGE_MEGABYTES };
}
