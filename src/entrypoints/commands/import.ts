import { open } from 'node:fs/promises';
import { importLines } from '../../platform/database/transfer.js';
import { runOnDatabase } from './command.js';

const LINE = {
  usage: 'npm run import -- <file> [--replace]',
  operands: ['file'],
  options: { replace: { type: 'boolean' } },
} as const;

await runOnDatabase(LINE, async (database, { operands: [file = ''], has }) => {
  const handle = await open(file);
  const rows = await importLines(database, handle.readLines(), has('replace'));
  return `Imported ${rows} rows from ${file}.`;
});
