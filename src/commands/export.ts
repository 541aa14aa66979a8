import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SealingKeys } from '../secrets/sealing-keys.service.js';
import { SecretStore } from '../secrets/secret.store.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { Database } from '../database/database.js';
import { exportLines } from '../database/transfer.js';
import { runOnDatabase } from './command.js';

await runOnDatabase(async (database, [file]) => {
  if (!file) return 'Usage: npm run export -- <file>';
  let rows = -1; // the header is none
  async function* lines() {
    for await (const line of exportLines(database)) {
      rows += 1;
      yield `${line}\n`;
    }
  }
  // It holds the hashes and secrets of the service: for its owner's eyes only.
  await pipeline(Readable.from(lines()), createWriteStream(file, { mode: 0o600 }));
  return `Exported ${rows} rows to ${file}. Keep it safe: it holds the service's secrets.${await keyHint(database)}`;
});

/** Whoever imports the file elsewhere must know what is not in it. */
async function keyHint(database: Database): Promise<string> {
  if (await SealingKeys.isInTable(new SecretsService(new SecretStore(database)))) return '';
  return (
    '\nCredentials for other servers are sealed in it, with a key that is not in it: take SECRETS_KEY or the file ' +
    'secrets.key along, or enter them again.'
  );
}
