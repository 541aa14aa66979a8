import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from './faults/tcp-proxy.js';
import { Random } from './fuzz/random.js';
import { expectAllDoneOnce } from './run-crash/done-once.js';
import { Fleet, type FoundRun } from './run-crash/fleet.js';
import { describeEachOnNewPostgres } from './support/postgres.js';
import { seedFrom } from './support/seed.js';

/**
 * The number of kills in each test, which starts runs before each of them. `RUN_CRASH_KILLS=200 npm test -- test/run-crash`
 * kills 200 times in each; `RUN_CRASH_SEED` selects other moments.
 */
const KILLS = Number(process.env['RUN_CRASH_KILLS'] ?? 6);
const SEED = seedFrom('RUN_CRASH_SEED');
/** The number of runs of each shape that are started before each kill, and while the database stalls. */
const [RUNS_AT_ONCE, RUNS_WHILE_STALLED] = [1, 10];
const END_WITHIN_MS = 300_000;
const TEST_MS = 900_000 + KILLS * 20_000;

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
async function killAtRandom(processes: Fleet) {
  const starting: Promise<void>[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    starting.push(processes.startRuns(RUNS_AT_ONCE, kill * RUNS_AT_ONCE));
    await pause(random.integer(30, 700));
    const victim = random.integer(0, processes.size);
    await processes.kill(victim);
    await processes.startOne(victim);
  }
  await Promise.all(starting);
  return processes.listEnded(END_WITHIN_MS);
}

const expectAllWell = (runs: FoundRun[], ofEachShape = KILLS * RUNS_AT_ONCE, lostPids?: Set<number>) =>
  expectAllDoneOnce({ runs, ofEachShape, marksFile: marksFile(), lostPids });

describe('runs on the embedded database', () => {
  it(
    `all end as they should, whenever the process is killed`,
    async () => {
      fleet = await Fleet.start(1, { DATA_DIR: join(folder, 'data'), MARKS_FILE: marksFile() });
      expectAllWell(await killAtRandom(fleet));
    },
    TEST_MS,
  );
});

describeEachOnNewPostgres('runs of three replicas', (database) => {
  it(
    `all end as they should, whichever process is killed`,
    async () => {
      const { url } = database;
      fleet = await Fleet.start(3, { DATABASE_URL: url, DATA_DIR: folder, MARKS_FILE: marksFile() });
      expectAllWell(await killAtRandom(fleet));
      await fleet.stop();
    },
    TEST_MS,
  );

  it(
    'all end as they should while the database stalls and its connections are cut',
    async () => {
      const { url } = database;
      const proxy = await TcpProxy.before(new URL(url));
      const DATABASE_URL = proxy.through(new URL(url)).href;
      fleet = await Fleet.start(3, { DATABASE_URL, DATA_DIR: folder, MARKS_FILE: marksFile() });
      const lostPids = new Set(fleet.pids);
      const starting = fleet.startRuns(RUNS_WHILE_STALLED);
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
      expectAllWell(await fleet.listEnded(END_WITHIN_MS), RUNS_WHILE_STALLED, lostPids);
      await fleet.stop();
      await proxy.close();
    },
    TEST_MS,
  );
});
