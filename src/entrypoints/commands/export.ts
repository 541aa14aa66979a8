import { Readable } from 'node:stream';
import type { Database } from '../../platform/database/database.js';
import { exportLines } from '../../platform/database/transfer.js';
import { SealingKeys } from '../../platform/secrets/sealing-keys.service.js';
import { SecretStore } from '../../platform/secrets/secret.store.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import type { GivenArguments } from './command-line.rules.js';
import { runOnDatabase } from './command.js';
import { writeWhole } from './whole-file.js';
import { countOf } from '../../platform/text/count-of.js';

const LINE = { usage: 'npm run export -- <file>', operands: ['file'], options: {} };

async function exportTo(database: Database, { operands: [file = ''] }: GivenArguments): Promise<string> {
  let rows = -2; // minus the header and the last line
  async function* lines() {
    for await (const line of exportLines(database)) {
      rows += 1;
      yield `${line}\n`;
    }
  }
  await writeWhole(file, Readable.from(lines()));
  return `Exported ${countOf(rows, 'row')} to ${file}. Keep it safe: it holds the service's secrets.${await keyHint(database)}`;
}

/** Returns a hint that the file lacks the key of the credentials; empty when the key is in the file. */
async function keyHint(database: Database): Promise<string> {
  if (await SealingKeys.isInTable(new SecretsService(new SecretStore(database)))) return '';
  return (
    '\nThe file holds credentials for other servers, encrypted with a key that it does not hold: take SECRETS_KEY or the ' +
    'file secrets.key along, or enter the credentials again after the import.'
  );
}

// On stderr, because the file may be /dev/stdout.
await runOnDatabase(LINE, exportTo, { mustExist: true, output: process.stderr });
