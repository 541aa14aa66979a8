import { rmSync } from 'node:fs';
import { once } from 'node:events';

export default async function cleanUp() {
  const postgres = globalThis.__POSTGRES__;
  if (!postgres) return;
  postgres.server.kill('SIGINT');
  await once(postgres.server, 'exit');
  rmSync(postgres.folder, { recursive: true, force: true });
}
