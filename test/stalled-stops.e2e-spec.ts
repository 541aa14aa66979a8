import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import { TcpProxy } from './faults/tcp-proxy.js';
import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
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
    const port = await freePort();
    const server = await ServerProcess.start({
      env: { PORT: String(port), MCP_API_KEY: KEY, LOG_LEVEL: 'warn', DATA_DIR: temporaryFolder(), ...world.env },
    });
    try {
      world.stall();
      for (let calls = 0; calls < CALLS; calls += 1) await call(port);
      await server.stop();
      expect(server.lastOutput).toContain(`"${CALLS} entries of the audit log are lost`);
    } finally {
      await server.kill();
      await world.close();
    }
  });
});

async function call(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'system_info',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'system_info',
        arguments: {},
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
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
