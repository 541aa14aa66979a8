import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newPostgresDatabase } from '../../src/platform/database/testing.js';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';
import { AdminDoor } from './admin-door.js';

const PASSWORD = 'let-me-in-please';

const postgresUrl = process.env['TEST_POSTGRES_URL'];

/** The databases that there are on this machine. */
export const DATABASES = ['sqlite', ...(postgresUrl === undefined ? [] : ['postgres'])];

/** A service of its own that is sent anything, and reaches no other machine. */
export class ServedAdmin {
  private constructor(
    readonly server: ServerProcess,
    readonly door: AdminDoor,
    private readonly cleanUps: readonly (() => Promise<unknown>)[],
  ) {}

  static async start(dialect: string): Promise<ServedAdmin> {
    const dataDir = await mkdtemp(join(tmpdir(), 'served-admin-'));
    const database = dialect === 'postgres' ? await newPostgresDatabase(postgresUrl ?? '') : null;
    const port = await freePort();
    const server = await ServerProcess.start({
      script: 'dist/src/main.js',
      env: {
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        DATABASE_URL: database?.url ?? '',
        ADMIN_PASSWORD: PASSWORD,
        MCP_API_KEY: '',
        LOG_LEVEL: 'error',
        NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/fuzz-admin/no-network.js')).href}`,
      },
      readyUrl: `http://127.0.0.1:${port}/health/live`,
    });
    return new ServedAdmin(server, new AdminDoor(port, PASSWORD), [
      async () => database?.drop(),
      () => rm(dataDir, { recursive: true, force: true }),
    ]);
  }

  async stop(): Promise<void> {
    this.door.close();
    await this.server.stop();
    for (const cleanUp of this.cleanUps) await cleanUp();
  }
}
