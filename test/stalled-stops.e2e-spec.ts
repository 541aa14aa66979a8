import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import { TcpProxy } from './faults/tcp-proxy.js';
import { ServerProcess } from './harness/server-process.js';
import { sendStateless } from './harness/stateless-message.js';
import { temporaryFolder } from './support/temporary-folder.js';

const KEY = 'a-key-for-stalled-stops';
const CALLS = 3;

interface World {
  env: Record<string, string>;
  stall: () => void;
  close: () => Promise<void>;
}

const WORLDS: [string, () => Promise<World>][] = [
  ['sqlite, which another process keeps locked,', sqliteWorld],
  ...(process.env['TEST_POSTGRES_URL']
    ? [['postgres, which does not answer,', postgresWorld] as [string, () => Promise<World>]]
    : []),
];

describe.each(WORLDS)('a stop with %s', (_name, openWorld) => {
  it('ends, and says how many entries of the audit log are lost', async () => {
    const world = await openWorld();
    const server = await ServerProcess.start({
      env: { MCP_API_KEY: KEY, LOG_LEVEL: 'warn', DATA_DIR: temporaryFolder(), ...world.env },
    });
    try {
      world.stall();
      for (let calls = 0; calls < CALLS; calls += 1) await call(server.origin);
      await server.stop();
      expect(server.lastOutput).toContain(`"${CALLS} entries of the audit log are lost`);
    } finally {
      await server.kill();
      await world.close();
    }
  });
});

async function call(origin: string): Promise<void> {
  const params = { name: 'system_info', arguments: {} };
  const answer = await sendStateless(origin, KEY, 'tools/call', params);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"resultType":"complete"')]);
}

async function sqliteWorld(): Promise<World> {
  const folder = temporaryFolder();
  let other: DatabaseSync | null = null; // null = not locked
  return {
    env: { DATA_DIR: folder },
    stall: () => {
      other = new DatabaseSync(join(folder, 'agent-service.db'), { timeout: 5_000 });
      other.exec('begin immediate');
    },
    close: async () => other?.close(),
  };
}

async function postgresWorld(): Promise<World> {
  const { url, drop } = await newPostgresDatabase(process.env['TEST_POSTGRES_URL'] ?? '');
  const proxy = await TcpProxy.before(new URL(url));
  return {
    env: { DATABASE_URL: proxy.through(new URL(url)).href },
    stall: () => proxy.stall(),
    close: async () => {
      await proxy.close();
      await drop();
    },
  };
}
