import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { createApp } from '../src/app.setup.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { EmbeddedEngine } from '../src/features/workflows/engine/embedded/embedded-engine.service.js';
import { RunEngine } from '../src/features/workflows/runs/execution/run-engine.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { Database } from '../src/platform/database/database.js';
import { median } from './median.js';
import { stalling } from './stalling.js';

export interface RunCost {
  database: string;
  /** From the start to the result of a workflow of 3 trivial steps. */
  emptyP50Ms: number;
  /** The same, with many finished and waiting runs in the tables. */
  filledP50Ms: number;
  runsPerSecond: number;
  /** One poll for runs that no replica executes. */
  lookP50Ms: number;
  /** One page of 50. */
  listP50Ms: number;
  finished: number;
  waiting: number;
  /** Waiting runs that all resume at once, as many as were finished. */
  woken: readonly Woken[];
}

interface Woken {
  by: 'one event' | 'time';
  runsPerSecond: number;
  /** The CPU time of the busiest turn of the event loop meanwhile. */
  busiestTurnMs: number;
}

const MEASURED = 300;
const AT_ONCE = 16;
const LOOK_EVERY_MS = 200;
const PATIENCE = { timeoutMs: 60_000, signal: new AbortController().signal };

const workflow = (name: string, tasks: string) =>
  `document: { dsl: 1.0.3, namespace: bench, name: ${name}, version: 1.0.0, summary: Measured. }\ndo:\n${tasks}`;
const THREE = workflow('three', ['a', 'b', 'c'].map((task) => `  - ${task}: { call: system_info }\n`).join(''));
const WAITING = workflow('waiting', '  - pause: { wait: { days: 30 } }\n');
const RESTING = workflow('resting', '  - pause: { wait: { days: 30 } }\n');
const LISTENING = workflow('listening', '  - hear: { listen: { to: { one: { with: { type: bench.rain } } } } }\n');
const RAIN = { specversion: '1.0', id: '1', source: 'bench', type: 'bench.rain' } as const;

/** On SQLite, and on PostgreSQL where TEST_POSTGRES_URL names an empty database that may be filled. */
export async function measureRuns(finished: number, waiting: number): Promise<RunCost[]> {
  const url = process.env['TEST_POSTGRES_URL'];
  const sqlite = await measureOn('SQLite', {}, finished, waiting);
  return url ? [sqlite, await measureOn('PostgreSQL', { DATABASE_URL: url }, finished, waiting)] : [sqlite];
}

async function measureOn(
  name: string,
  env: Record<string, string>,
  finished: number,
  waiting: number,
): Promise<RunCost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  Object.assign(process.env, { DATA_DIR: dataDir, WORKFLOWS_DIR: join(dataDir, 'none'), LOG_LEVEL: 'silent', ...env });
  const app = await createApp();
  await app.init();
  const [runs, engine, definitions] = [app.get(RunsService), app.get(RunEngine), app.get(WorkflowDefinitions)];
  const runOne = async () => {
    await runs.follow(await startOf(runs, 'three'), PATIENCE);
  };
  try {
    for (const text of [THREE, WAITING, RESTING, LISTENING]) await definitions.save(text, { source: 'admin' });
    await durationsOf(MEASURED, runOne); // warms up
    const emptyMs = await durationsOf(MEASURED, runOne);
    await atOnce(waiting, () => startOf(runs, 'waiting'));
    const startedAt = performance.now();
    await atOnce(finished, runOne);
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      database: name,
      emptyP50Ms: median(emptyMs),
      filledP50Ms: median(await durationsOf(MEASURED, runOne)),
      runsPerSecond: finished / seconds,
      lookP50Ms: engine instanceof EmbeddedEngine ? median(await durationsOf(MEASURED, () => engine.tick())) : NaN,
      listP50Ms: median(await durationsOf(MEASURED, () => runs.listPage({ limit: 50 }))),
      finished,
      waiting,
      woken: [
        await measureWaking(app, finished, { by: 'one event', workflow: 'listening' }),
        await measureWaking(app, finished, { by: 'time', workflow: 'resting' }),
      ],
    };
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Makes this many runs of a workflow wait, and then resumes all at once. */
async function measureWaking(
  app: INestApplicationContext,
  count: number,
  { by, workflow }: { by: Woken['by']; workflow: string },
): Promise<Woken> {
  const [runs, database] = [app.get(RunsService), app.get(Database)];
  await atOnce(count, () => startOf(runs, workflow));
  while ((await leftOf(database, workflow, 'waiting')) < count) await pause(LOOK_EVERY_MS);
  if (by === 'time') await endWaits(database, workflow);
  const startedAt = performance.now();
  const { busiestMs } = await stalling(async () => {
    if (by === 'one event') await runs.publish(RAIN);
    while ((await leftOf(database, workflow)) > 0) await pause(LOOK_EVERY_MS);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  return { by, runsPerSecond: count / seconds, busiestTurnMs: busiestMs };
}

/** Returns how many runs of a workflow have not ended. */
async function leftOf(database: Database, workflow: string, status?: 'waiting'): Promise<number> {
  const { left } = await database.longReads
    .selectFrom('workflow_runs')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('name', '=', workflow)
    .where('status', 'in', status ? [status] : ['pending', 'running', 'waiting'])
    .executeTakeFirstOrThrow();
  return Number(left);
}

async function endWaits(database: Database, workflow: string): Promise<void> {
  const wake_at = new Date().toISOString();
  const ids = database.selectFrom('workflow_runs').select('id').where('name', '=', workflow);
  await database.updateTable('workflow_steps').set({ wake_at }).where('run_id', 'in', ids).execute();
  await database.updateTable('workflow_runs').set({ wake_at }).where('name', '=', workflow).execute();
}

async function startOf(runs: RunsService, name: string): Promise<string> {
  const { id } = await runs.start({
    program: 'workflow',
    name,
    version: '1.0.0',
    input: {},
    origin: 'call',
    client: { name: 'bench', groups: [] },
    idempotencyKey: null,
    isTest: false,
  });
  return id;
}

async function durationsOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const startedAt = performance.now();
    await work();
    durations.push(performance.now() - startedAt);
  }
  return durations;
}

async function atOnce(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
