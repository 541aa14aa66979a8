import { open } from 'node:fs/promises';
import { importLines } from '../database/transfer.js';
import { runOnDatabase } from './command.js';

await runOnDatabase(async (database, args) => {
  const [file] = args.filter((arg) => !arg.startsWith('--'));
  if (!file) return 'Usage: npm run import -- <file> [--replace]';
  const handle = await open(file);
  const rows = await importLines(database, handle.readLines(), args.includes('--replace'));
  return `Imported ${rows} rows from ${file}.`;
});
