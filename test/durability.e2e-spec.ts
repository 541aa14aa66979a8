import { sql } from 'kysely';
import { dialectOf } from '../src/platform/sql/dialect.js';
import { lockUnindexed } from '../src/platform/text/text-index.js';
import { Door } from './durability/door.js';
import { everythingKept } from './durability/kept.js';
import { Model } from './durability/model.js';
import { Random } from './fuzz/random.js';
import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
import { describeOnEachDatabase } from './support/databases.js';
import { seedFrom } from './support/seed.js';
import { until } from './support/until.js';

/** How often each process on a database is killed. */
const RESTARTS = Number(process.env['DURABILITY_RESTARTS'] ?? 4);
/** The maximum number of changes that a process acknowledges before it is killed. */
const MOST_CHANGES = 100;
const SEED = seedFrom('DURABILITY_SEED');
const AT_ONCE = 8;
const PASSWORD = 'durability-password';

describeOnEachDatabase('acknowledged data', (data) => {
  let server: ServerProcess | undefined;

  afterEach(() => server?.kill());

  it(
    `survives ${RESTARTS} restarts and kills`,
    async () => {
      process.stdout.write(`DURABILITY_SEED=${SEED}\n`);
      const random = new Random(SEED);
      const port = await freePort();
      const door = new Door(`http://127.0.0.1:${port}`, PASSWORD, '');
      const model = new Model(everythingKept(door), random);
      const start = async () =>
        (server = await ServerProcess.start({
          env: {
            PORT: String(port),
            ADMIN_PASSWORD: PASSWORD,
            LOG_LEVEL: 'error',
            ...data.env,
          },
          readyPath: '/health/live',
        }));
      for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
        const running = await start();
        expect(await model.check()).toEqual([]);
        let isOver = false;
        const changes = Array.from({ length: AT_ONCE }, () => model.changeUntil(() => isOver));
        // While any change after that many is in progress.
        const enough = model.acknowledged + random.integer(1, MOST_CHANGES);
        await until(() => model.acknowledged >= enough);
        if (random.chance(0.7)) await running.kill();
        else await running.stop();
        isOver = true;
        await Promise.all(changes);
      }
      await start();
      expect(await model.check()).toEqual([]);
      await server?.stop();
      expect(model.neverAcknowledged).toEqual([]);
      process.stdout.write(`${data.dialect}: ${model.acknowledged} changes acknowledged\n`);

      const database = await data.open();
      expect(
        await lockUnindexed(database, { index: 'knowledge_index', table: 'knowledge_passages', limit: 10 }),
      ).toEqual([]);
      expect(await lockUnindexed(database, { index: 'memory_index', table: 'memory_entries', limit: 10 })).toEqual([]);
      if (dialectOf(database) === 'sqlite') {
        const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database);
        expect(rows).toEqual([{ integrity_check: 'ok' }]);
      }
      await database.destroy();
    },
    RESTARTS * 120_000 + 200_000,
  );
});
