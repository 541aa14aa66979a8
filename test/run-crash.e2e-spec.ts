import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newPostgresDatabase } from '../src/database/testing.js';
import { TcpProxy } from './faults/tcp-proxy.js';
import { Random } from './fuzz/random.js';
import { Fleet, type FoundRun } from './run-crash/fleet.js';
import { misdeeds, readMarks } from './run-crash/marks.js';
import { describeOnPostgres } from './support/postgres.js';

/** An hour's worth of kills makes sense, too. */
const KILLS = Number(process.env['RUN_CRASH_KILLS'] ?? 20);
const SEED = Number(process.env['RUN_CRASH_SEED'] ?? Date.now() % 1_000_000);
const RUNS_OF_EACH_SHAPE = 30;
const END_WITHIN_MS = 90_000;

let folder: string;
let fleet: Fleet | undefined;
let random: Random;
const marksFile = () => join(folder, 'marks.jsonl');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-crash-'));
  random = new Random(SEED);
  process.stdout.write(`RUN_CRASH_SEED=${SEED}\n`);
});
afterEach(async () => {
  await fleet?.stop();
  fleet = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** Kills processes at random moments while runs are being started and executed; returns how the runs ended. */
async function killAtRandom(processes: Fleet, meanwhile: (kill: number) => Promise<void> = async () => {}) {
  const starting = processes.startRuns(RUNS_OF_EACH_SHAPE);
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(random.integer(30, 700));
    const victim = random.integer(0, processes.size);
    await processes.kill(victim);
    await meanwhile(kill);
    await processes.startOne(victim);
  }
  await starting;
  return processes.listEnded(END_WITHIN_MS);
}

function expectAllWell(runs: FoundRun[], processes: Fleet, lostPids = new Set<number>()): void {
  const strange = runs.filter(({ status }) => status !== 'completed');
  expect(strange).toEqual([]);
  // Each parent has a child.
  expect(runs).toHaveLength(8 * RUNS_OF_EACH_SHAPE);
  const marks = readMarks(marksFile());
  expect(misdeeds(marks, processes.killedPids, lostPids)).toEqual([]);
  const begun = marks.filter(({ phase }) => phase === 'begin').length;
  const steps = new Set(marks.map(({ key }) => key)).size;
  process.stdout.write(`${runs.length} runs, ${steps} steps, ${begun - steps} of them begun again after a kill\n`);
  // 4 of a loop and of a parent's child, 6, 3, 3 x 2 + 1, 2, 2, 2
  expect(steps).toBe((4 + 4 + 6 + 3 + 7 + 2 + 2 + 2) * RUNS_OF_EACH_SHAPE);
}

describe('runs on the embedded database', () => {
  it(`all end as they should, whenever the process is killed`, async () => {
    fleet = await Fleet.start(1, { DATA_DIR: join(folder, 'data'), MARKS_FILE: marksFile() });
    expectAllWell(await killAtRandom(fleet), fleet);
  }, 300_000);
});

describeOnPostgres('runs of three replicas', (serverUrl) => {
  it(`all end as they should, whichever process is killed`, async () => {
    const { url, drop } = await newPostgresDatabase(serverUrl);
    fleet = await Fleet.start(3, { DATABASE_URL: url, DATA_DIR: folder, MARKS_FILE: marksFile() });
    expectAllWell(await killAtRandom(fleet), fleet);
    await fleet.stop();
    await drop();
  }, 300_000);

  it('all end as they should while the database stalls and its connections are cut', async () => {
    const { url, drop } = await newPostgresDatabase(serverUrl);
    const proxy = await TcpProxy.before(new URL(url));
    const DATABASE_URL = proxy.through(new URL(url)).href;
    fleet = await Fleet.start(3, { DATABASE_URL, DATA_DIR: folder, MARKS_FILE: marksFile() });
    const lostPids = new Set(fleet.pids);
    const starting = fleet.startRuns(RUNS_OF_EACH_SHAPE);
    for (let fault = 0; fault < 6; fault++) {
      await pause(random.integer(200, 1_000));
      if (fault % 2 === 0) proxy.reset();
      else {
        proxy.stall();
        await pause(random.integer(500, 8_000));
        proxy.heal();
      }
    }
    await starting;
    expectAllWell(await fleet.listEnded(END_WITHIN_MS), fleet, lostPids);
    await fleet.stop();
    await proxy.close();
    await drop();
  }, 300_000);
});
