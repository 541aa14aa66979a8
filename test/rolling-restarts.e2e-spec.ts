import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NginxProxy } from './harness/nginx-proxy.js';
import { Replicas } from './restarts/replicas.js';
import { CLIENTS, type RestartClient } from './restarts/clients.js';
import { describeWith } from './support/left-out.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { until } from './support/until.js';

/** The number of replicas that are stopped, one after the other. In between, the last one is killed. */
const STOPS = Number(process.env['ROLLING_RESTARTS'] ?? 2);
/** The number of stops that may lose a call: the kernel resets a connection that arrives while the port is being closed. */
const MOST_LOSSY = 1;
const REPLICAS = 3;
const KILLED = REPLICAS - 1;
const KEY = 'rolling-restarts-key-0123';
const PAUSED = 'it is over';
/** Long enough that a stopping replica has running calls. */
const SKILL = `export default {
  name: 'short_pause',
  description: 'Use this to wait for a moment.',
  input: { type: 'object' },
  execute: () => new Promise((resolve) => setTimeout(resolve, 100, '${PAUSED}')),
};`;
/** A duplicate notification would arrive within this time. */
const A_WHILE_MS = 2_000;

describeWith('nginx', 'clients behind nginx', (nginx) => {
  describeOnNewPostgres('of three replicas that restart one after the other', (database) => {
    let folder: string;
    let replicas: Replicas;
    let proxy: NginxProxy;
    const clients: { name: string; hasSession: boolean; client: RestartClient; calls: number }[] = [];
    const failures: string[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rolling-'));
      await writeFile(join(folder, 'short_pause.js'), SKILL);
      const env = { DATABASE_URL: database.url, DATA_DIR: folder, SKILLS_DIR: folder, MCP_API_KEY: KEY };
      replicas = await Replicas.start(REPLICAS, env);
      proxy = await NginxProxy.start(nginx, ...replicas.hosts);
      const url = new URL(`http://127.0.0.1:${proxy.port}/mcp`);
      for (const kind of CLIENTS) {
        const client = await kind.connect(url, KEY);
        const hasSession = kind.protocol !== '2026-07-28';
        clients.push({ name: `${kind.name} in ${kind.protocol}`, hasSession, client, calls: 0 });
      }
      await until(() => clients.every(({ client }) => client.listens()));
    });
    afterAll(async () => {
      await Promise.allSettled(clients.map(({ client }) => client.close()));
      await proxy?.stop();
      await replicas?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('have no call fail but those that a kill cuts off', async () => {
      let isOver = false;
      const calling = clients.map(async (one) => {
        while (!isOver) {
          const answer = await one.client.call('short_pause').catch(String);
          if (!JSON.stringify(answer).includes(PAUSED)) failures.push(`${one.name}: ${JSON.stringify(answer)}`);
          one.calls += 1;
        }
      });
      // nginx logs the upstream of each call; it may notice the death of a killed replica later than this process.
      const lost = () => proxy.failedCalls().filter((upstream) => upstream !== replicas.hosts[KILLED]).length;
      let [clean, stops] = [0, 0];
      try {
        for (; clean < STOPS && stops < STOPS + MOST_LOSSY; stops += 1) {
          const before = lost();
          await pause(300);
          await replicas.restart(stops % KILLED, 'stop');
          if (lost() === before) clean += 1;
          if (stops % KILLED === 0) await replicas.restart(KILLED, 'kill');
        }
      } finally {
        isOver = true;
        await Promise.all(calling);
      }
      expect(clean).toBe(STOPS);
      expect(failures.filter((failure) => !failure.includes('502 Bad Gateway'))).toEqual([]);
      expect(failures.length).toBeLessThanOrEqual(proxy.failedCalls().length);
      for (const { name, calls } of clients) expect([name, calls > stops]).toEqual([name, true]);
    });

    const told = () => clients.map(({ client }) => client.told());
    const toldSince = (before: readonly number[]) =>
      clients.map(({ client }, index) => client.told() - (before[index] ?? 0));
    const callAll = () => Promise.all(clients.map(({ client }) => client.call('system_info')));

    it('are notified of the next change once', async () => {
      await until(() => clients.every(({ client }) => client.listens()));
      // Clients reopen streams in the background, without reporting it: a client that is notified of this change has one.
      await until(async () => {
        const earlier = told();
        await replicas.change();
        await pause(A_WHILE_MS);
        await callAll();
        return toldSince(earlier).every((times) => times > 0);
      });
      await pause(A_WHILE_MS);
      const before = told();
      await replicas.change();
      await until(async () => {
        await callAll();
        return toldSince(before).every((times) => times > 0);
      });
      await pause(A_WHILE_MS);
      await callAll();
      expect(toldSince(before).map((times, index) => [clients[index]?.name, times])).toEqual(
        clients.map(({ name }) => [name, 1]),
      );
    });

    // Clients without a session refetch what changed while they had no stream.
    it.each([
      ['stops', 'stop', 1],
      ['is killed, twice at most', 'kill', 2],
    ] as const)(
      'are notified in their sessions of each change once though a replica %s',
      async (_what, how, mostTimes) => {
        const before = told();
        const heard = async (changes: number) => {
          await callAll().catch(() => undefined);
          return toldSince(before).every((times, index) => !clients[index]?.hasSession || times >= changes);
        };
        await replicas.change();
        await until(() => heard(1));
        await replicas.restart(1, how);
        await replicas.change();
        await until(() => heard(2));
        await pause(A_WHILE_MS);
        await callAll();
        const repeated = toldSince(before).map((times, index) => ({ name: clients[index]?.name, times }));
        expect(repeated.filter(({ times }, index) => clients[index]?.hasSession && times > 2 * mostTimes)).toEqual([]);
      },
    );
  });
});
