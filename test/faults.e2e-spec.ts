import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openPostgres } from '../src/platform/database/open-database.js';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import { Door } from './durability/door.js';
import { documentsAndEntries } from './durability/kept.js';
import { Model, Unanswered } from './durability/model.js';
import { type Client, SessionClient, SessionDoor, StatelessClient } from './faults/clients.js';
import { type Fault, postgresFaults, sqliteFaults } from './faults/faults.js';
import { mountSmallDisk, type SmallDisk } from './faults/small-disk.js';
import { TcpProxy } from './faults/tcp-proxy.js';
import { Random } from './fuzz/random.js';
import { ServerProcess } from './harness/server-process.js';
import { until } from './support/until.js';
import { seedFrom } from './support/seed.js';

const SEED = seedFrom('FAULT_SEED');
/** How often each fault is injected. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
const CLIENTS = 8;
const KEY = 'a-key-for-the-faults';
const PASSWORD = 'fault-password';
const TOOL_TIMEOUT_MS = 5_000;
const LOOK_EVERY_MS = 100;

interface World {
  env: Record<string, string>;
  faults: Fault[];
  close: () => Promise<void>;
}

const WORLDS: [string, () => Promise<World>][] = [
  ['sqlite', sqliteWorld],
  ...(process.env['TEST_POSTGRES_URL'] ? [['postgres', postgresWorld] as [string, () => Promise<World>]] : []),
];

describe.each(WORLDS)('when things go wrong with %s', (_name, openWorld) => {
  let world: World;
  let server: ServerProcess | undefined;
  let isOver = false;
  const clients: Client[] = [];
  beforeEach(async () => (world = await openWorld()));
  afterEach(async () => {
    isOver = true;
    for (const client of clients) client.stop();
    await server?.stop();
    await world.close();
  });

  it(
    'every request is answered, nothing acknowledged is lost, and readiness is right',
    async () => {
      process.stdout.write(`FAULT_SEED=${SEED}\n`);
      const random = new Random(SEED);
      server = await ServerProcess.start({
        env: {
          MCP_API_KEY: KEY,
          ADMIN_PASSWORD: PASSWORD,
          LOG_LEVEL: 'error',
          MCP_TOOL_TIMEOUT_MS: String(TOOL_TIMEOUT_MS),
          ...world.env,
        },
      });
      const { origin } = server;
      for (let number = 0; number < CLIENTS; number++) {
        clients.push(
          number % 2 === 0
            ? new StatelessClient(new Door(origin, PASSWORD, KEY))
            : new SessionClient(new SessionDoor(origin, PASSWORD, KEY)),
        );
      }
      const streams = clients.map((client) => client.followChanges());
      const [first, ...others] = clients.flatMap(({ door }, number) => documentsAndEntries(door, number));
      if (!first) throw new Error('there are no clients');
      const model = new Model([first, ...others], random);
      const changes = clients.map(() => model.changeUntil(() => isOver));

      for (let round = 0; round < ROUNDS; round++) {
        for (const fault of shuffled(world.faults, random)) {
          await new Promise((wake) => setTimeout(wake, random.integer(200, 1_000)));
          process.stdout.write(`${fault.name}\n`);
          await suffer(fault, origin);
          await until(async () => (await statusOf(`${origin}/health/ready`)) === 200);
          expect(server.isRunning).toBe(true);
        }
      }
      isOver = true;
      await Promise.all(changes);
      expect(await model.check()).toEqual([]);
      expect(model.acknowledged).toBeGreaterThan(CLIENTS);
      expect(model.neverAcknowledged).toEqual([]);

      // Every client still receives notifications.
      await until(() => streamsOf(origin).then((open) => open >= CLIENTS));
      const before = clients.map(({ heard }) => heard);
      const door = new Door(origin, PASSWORD, KEY);
      // A statement that started during the last fault, such as one of the audit log, may still be waiting for its timeout.
      await until(() =>
        door.admin('POST', 'knowledge', { title: 'The end', content: 'It is over.' }).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Unanswered) return false;
            throw error;
          },
        ),
      );
      await until(() => clients.every(({ heard }, number) => heard > (before[number] ?? 0)));
      for (const client of clients) client.stop();
      await Promise.all(streams);
    },
    ROUNDS * 400_000 + 200_000,
  );
});

/** Injects a fault, and checks that the service reports it while it lasts, and stays alive. */
async function suffer(fault: Fault, origin: string): Promise<void> {
  const ready = () => statusOf(`${origin}/health/ready`);
  await fault.begin();
  try {
    if (fault.unready !== 'perhaps') await until(async () => (await ready()) === 503);
    for (let looks = 0; looks * LOOK_EVERY_MS < fault.lastsMs; looks += 1) {
      if (fault.unready === 'throughout') expect([fault.name, await ready()]).toEqual([fault.name, 503]);
      expect(await statusOf(`${origin}/health/live`)).toBe(200);
      await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
    }
  } finally {
    await fault.end();
  }
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(async (response) => (await response.text(), response.status));

async function streamsOf(origin: string): Promise<number> {
  return Number((await new Door(origin, PASSWORD, KEY).admin('GET', 'overview')).body['streams']);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

async function sqliteWorld(): Promise<World> {
  const disk = mountSmallDisk(160);
  const folder = disk?.path ?? mkdtempSync(join(tmpdir(), 'faults-'));
  const close = async () => (disk ? disk.release() : rmSync(folder, { recursive: true }));
  return { env: { DATA_DIR: folder }, faults: sqliteFaults(folder, { canBeFull: disk !== null }), close };
}

async function postgresWorld(): Promise<World> {
  const serverUrl = process.env['TEST_POSTGRES_URL'] ?? '';
  const disk = mountSmallDisk(160);
  const server = await openPostgres(serverUrl);
  if (disk) await createTablespace(disk);
  const { url, drop } = await newPostgresDatabase(serverUrl);
  const name = new URL(url).pathname.slice(1);
  if (disk) {
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name}`.execute(server);
    await sql.raw(`alter database ${name} set tablespace small_disk`).execute(server);
  }
  const direct = await openPostgres(serverUrl);
  const proxy = await TcpProxy.before(new URL(url));
  const dataDir = mkdtempSync(join(tmpdir(), 'faults-'));

  async function createTablespace({ path }: SmallDisk): Promise<void> {
    const { rows } = await sql<{ folder: string }>`select current_setting('data_directory') as folder`.execute(server);
    const owner = execFileSync('stat', ['-c', '%u %g', rows[0]?.folder ?? ''], { encoding: 'utf8' }).split(' ');
    await chown(path, Number(owner[0]), Number(owner[1]));
    await sql.raw(`create tablespace small_disk location '${path}'`).execute(server);
  }
  const close = async () => {
    await proxy.close();
    await direct.destroy();
    if (disk) {
      // The database is on the small disk: it must not be reused.
      await sql.raw(`drop database ${name} with (force)`).execute(server);
      await sql`drop tablespace small_disk`.execute(server);
    }
    await drop();
    await server.destroy();
    disk?.release();
    rmSync(dataDir, { recursive: true });
  };
  const faults = postgresFaults({ proxy, direct, name, tablespace: disk?.path ?? null });
  return { env: { DATA_DIR: dataDir, DATABASE_URL: proxy.through(new URL(url)).href }, faults, close };
}
