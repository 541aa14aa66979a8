import { open } from 'node:fs/promises';
import type { Database } from '../../platform/database/database.js';
import { ImportRefused } from '../../platform/database/database.errors.js';
import { ReplicaStore } from '../../platform/database/replica.store.js';
import { dialectOf } from '../../platform/sql/dialect.js';
import { importLines } from '../../platform/database/transfer.js';
import { type GivenArguments } from './command-line.rules.js';
import { runOnDatabase } from './command.js';
import { linesOf } from './lines.js';

const LINE = {
  usage: 'npm run import -- <file> [--replace]',
  operands: ['file'],
  options: { replace: { type: 'boolean' } },
} as const;
/** How long a killed replica counts as running. */
const AT_WORK_MS = 15_000;

async function importFile(database: Database, { operands: [file = ''], has }: GivenArguments): Promise<string> {
  if (dialectOf(database) === 'postgres') await assertNobodyAtWork(new ReplicaStore(database));
  const handle = await open(file);
  const rows = await importLines(database, linesOf(handle.createReadStream()), has('replace'));
  return `Imported ${rows} rows from ${file}.`;
}

/** Refuses an import while replicas are running, because they would keep outdated data in memory. @throws ImportRefused */
async function assertNobodyAtWork(replicas: ReplicaStore): Promise<void> {
  const count = await replicas.countSeenWithin(AT_WORK_MS);
  if (count === 0) return;
  throw new ImportRefused(
    `${count === 1 ? 'a replica uses' : `${count} replicas use`} the database: stop all of them first (one that was killed ` +
      `counts for ${AT_WORK_MS / 1_000} s)`,
  );
}

await runOnDatabase(LINE, importFile, { isAlone: true });
