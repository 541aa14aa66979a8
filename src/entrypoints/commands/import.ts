import { access, constants, open } from 'node:fs/promises';
import type { Database } from '../../platform/database/database.js';
import { importLines } from '../../platform/database/transfer.js';
import { type GivenArguments } from './command-line.rules.js';
import { runOnDatabase } from './command.js';
import { linesOf } from './lines.js';
import { countOf } from '../../platform/text/count-of.js';

const LINE = {
  usage: 'npm run import -- <file> [--replace]',
  operands: ['file'],
  options: { replace: { type: 'boolean' } },
} as const;

async function importFile(database: Database, { operands: [file = ''], has }: GivenArguments): Promise<string> {
  const handle = await open(file);
  const rows = await importLines(database, linesOf(handle.createReadStream()), has('replace'));
  return `Imported ${countOf(rows, 'row')} from ${file}.`;
}

const assertReadable = ({ operands: [file = ''] }: GivenArguments) => access(file, constants.R_OK);

await runOnDatabase(LINE, importFile, { isAlone: true, check: assertReadable });
