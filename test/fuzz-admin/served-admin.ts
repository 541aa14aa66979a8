import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ServerProcess } from '../harness/server-process.js';
import type { ServiceData } from '../support/databases.js';
import { AdminDoor } from './admin-door.js';

const PASSWORD = 'let-me-in-please';

/** A separate service that receives any input, and reaches no other machine. */
export class ServedAdmin {
  private constructor(
    readonly server: ServerProcess,
    readonly door: AdminDoor,
  ) {}

  static async start(data: ServiceData): Promise<ServedAdmin> {
    const server = await ServerProcess.start({
      env: {
        ...data.env,
        ADMIN_PASSWORD: PASSWORD,
        MCP_API_KEY: '',
        LOG_LEVEL: 'error',
        NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/fuzz-admin/no-network.js')).href}`,
      },
      readyPath: '/health/live',
    });
    return new ServedAdmin(server, new AdminDoor(server.port, PASSWORD));
  }

  async stop(): Promise<void> {
    this.door.close();
    await this.server.stop();
  }
}
