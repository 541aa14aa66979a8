import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database } from '../database/database.js';
import { describeEachDatabase } from '../database/testing.js';
import { parseEnvironment } from '../environment/environment.js';
import { seal } from './sealed-text.rules.js';
import { SealedColumns } from './sealed-columns.store.js';
import { SealingKeys } from './sealing-keys.service.js';
import { SecretStore } from './secret.store.js';
import { SecretsService } from './secrets.service.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const AT = '2026-11-28T00:00:00Z';
const TEXT = 'the-text-that-was-sealed';

describeEachDatabase('what is sealed, when the service starts', (open) => {
  let database: Database;
  let folder: string;
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeEach(async () => {
    database = await open();
    folder = temporaryFolder();
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => warn.mockRestore());

  const start = async (env: Record<string, string>) => {
    const environment = parseEnvironment({ DATA_DIR: folder, ...env });
    const keys = await SealingKeys.load(environment, new SecretsService(new SecretStore(database)));
    await new SealedColumns(database).reseal(keys);
  };
  const sealedWith = (key: Buffer, purpose: string) => seal(TEXT, key, purpose).sealed;
  const addSecrets = (key: Buffer, names: readonly string[]) =>
    database
      .insertInto('workflow_secrets')
      .values(names.map((name) => ({ name, value: sealedWith(key, `workflow secret ${name}`), updated_at: AT })))
      .execute();
  const addWebhook = (key: Buffer) =>
    database
      .insertInto('webhooks')
      .values({
        name: 'orders',
        event_type: 'a.b',
        enabled: 1,
        secret: sealedWith(key, 'webhook orders'),
        created_at: AT,
      })
      .execute();
  const warnings = () => warn.mock.calls.map(([message]) => String(message));

  it('is named where no key opens it: once for each kind, and without what was sealed', async () => {
    const lost = randomBytes(32);
    const given = randomBytes(32);
    await addSecrets(lost, ['mail', 'weather']);
    await addSecrets(given, ['known']);
    await addWebhook(lost);
    await start({ SECRETS_KEY: given.toString('base64') });
    expect(warnings()).toEqual([
      'no key opens the workflow secrets mail, weather: start with the SECRETS_KEY or the secrets.key that they were ' +
        'encrypted with, or enter them again',
      'no key opens the secrets of the webhooks orders: start with the SECRETS_KEY or the secrets.key that they were ' +
        'encrypted with, or rotate them',
    ]);
    expect(warnings().join()).not.toContain(TEXT);
  });

  it('is named by the first ten, where much is lost', async () => {
    await addSecrets(
      randomBytes(32),
      Array.from({ length: 12 }, (_, n) => `secret-${10 + n}`),
    );
    await start({});
    expect(warnings()).toEqual([expect.stringContaining('secret-19 and 2 more: start with')]);
  });

  it('is opened without making a key, so that the lost one can be put back', async () => {
    await addSecrets(randomBytes(32), ['mail']);
    await start({});
    expect([warnings().length, existsSync(join(folder, 'secrets.key'))]).toEqual([1, false]);
    await start({ DATABASE_URL: 'postgres://never-used' });
    expect(await SealingKeys.isInTable(new SecretsService(new SecretStore(database)))).toBe(false);
  });

  it('goes without a word where its key is there', async () => {
    const given = randomBytes(32);
    await addSecrets(given, ['mail']);
    await start({ SECRETS_KEY: given.toString('base64') });
    expect(warnings()).toEqual([]);
  });
});
