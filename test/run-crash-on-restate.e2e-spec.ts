import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from './fuzz/random.js';
import { freePort } from './harness/free-port.js';
import { Balancer } from './run-crash/balancer.js';
import { expectAllDoneOnce } from './run-crash/done-once.js';
import { Fleet } from './run-crash/fleet.js';
import { describeEachOnNewPostgres } from './support/postgres.js';
import { describeWithRestate, RestateServer } from './support/restate-server.js';
import { seedFrom } from './support/seed.js';

/** The number of kills, as in `run-crash.e2e-spec.ts`: `RUN_CRASH_KILLS=200 npm test -- test/run-crash-on-restate`. */
const KILLS = Number(process.env['RUN_CRASH_KILLS'] ?? 5);
const SEED = seedFrom('RUN_CRASH_SEED');
/** One in this many kills hits the Restate server. */
const SERVER_EVERY = 4;
/** The number of runs of each shape that are started before each kill. */
const RUNS_AT_ONCE = 1;
const END_WITHIN_MS = 300_000;
const REPLICAS = 2;

describeWithRestate('runs on Restate', () => {
  describeEachOnNewPostgres('of two replicas', (postgres) => {
    let folder: string;
    let restate: RestateServer;
    let balancer: Balancer;
    let fleet: Fleet | undefined;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'run-crash-'));
      restate = await RestateServer.start();
    });
    afterEach(async () => {
      await fleet?.stop();
      await balancer.close();
      await restate.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it(
      'all end as they should, whichever process is killed, and the Restate server, too',
      async () => {
        process.stdout.write(`RUN_CRASH_SEED=${SEED}\n`);
        const random = new Random(SEED);
        const ports = await Promise.all(Array.from({ length: REPLICAS }, freePort));
        balancer = await Balancer.before(ports);
        const marksFile = join(folder, 'marks.jsonl');
        const processes = await Fleet.start(REPLICAS, (number) => ({
          DATABASE_URL: postgres.url,
          DATA_DIR: folder,
          MARKS_FILE: marksFile,
          WORKFLOW_ENGINE: 'restate',
          RESTATE_INGRESS_URL: restate.ingressUrl,
          RESTATE_ADMIN_URL: restate.adminUrl,
          RESTATE_ENDPOINT_URL: balancer.url,
          RESTATE_ENDPOINT_PORT: String(ports[number]),
        }));
        fleet = processes;
        const lostPids = new Set<number>();
        const starting: Promise<void>[] = [];
        for (let kill = 0; kill < KILLS; kill++) {
          starting.push(processes.startRuns(RUNS_AT_ONCE, kill * RUNS_AT_ONCE));
          await pause(random.integer(30, 1_200));
          if (kill % SERVER_EVERY === 1) {
            // Running steps are repeated when the server is back.
            for (const pid of processes.pids) lostPids.add(pid);
            await restate.kill();
            await restate.run();
          } else {
            const victim = random.integer(0, processes.size);
            await processes.kill(victim);
            await processes.startOne(victim);
          }
        }
        await Promise.all(starting);
        const runs = await processes.listEnded(END_WITHIN_MS);
        expectAllDoneOnce({ runs, ofEachShape: KILLS * RUNS_AT_ONCE, marksFile, lostPids });
      },
      600_000 + KILLS * 20_000,
    );
  });
});
