import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/harness/free-port.js';
import { ServerProcess } from '../test/harness/server-process.js';
import type { Target } from './load/wire.js';
import type { Subject } from './subjects.js';

/** Runs a subject while `measure` runs. */
export async function withServer<T>(
  subject: Subject,
  measure: (server: ServerProcess, target: Target) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const [port, key] = [await freePort(), randomBytes(24).toString('base64url')];
  const server = await ServerProcess.start({
    script: subject.script,
    env: {
      PORT: String(port),
      DATA_DIR: dataDir,
      MCP_API_KEY: key,
      BENCH_KEY: key,
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      TOOLS: String(subject.tools),
      ...subject.env,
      ...(subject.isPublic && { PUBLIC_URL: `http://127.0.0.1:${port}` }),
    },
  });
  try {
    return await measure(server, { port, key, wire: subject.wire });
  } catch (error) {
    throw new Error(`${subject.title}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
