import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { WorkflowError } from '#open-workflow';
import type { Database } from '../../../platform/database/database.js';
import { describeEachDatabase, everythingIn } from '../../../platform/database/testing.js';
import { exportLines, importLines } from '../../../platform/database/transfer.js';
import { parseEnvironment } from '../../../platform/environment/environment.js';
import { SealedColumns } from '../../../platform/secrets/sealed-columns.store.js';
import { SealingKeys } from '../../../platform/secrets/sealing-keys.service.js';
import { SecretStore } from '../../../platform/secrets/secret.store.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import { WorkflowSecretStore } from './workflow-secret.store.js';
import { WorkflowSecrets } from './workflow-secrets.service.js';

const NOON = new Date('2026-11-21T12:00:00Z');
const VALUE = 'the-token-of-the-weather';

describeEachDatabase('the secrets of workflows', (open) => {
  let database: Database;
  beforeEach(async () => void (database = await open()));

  const keysInTable = () => SealingKeys.inTable(new SecretsService(new SecretStore(database)));
  const secretsWith = (keys = keysInTable(), on = database) => new WorkflowSecrets(new WorkflowSecretStore(on), keys);
  const detailOf = async (resolving: Promise<unknown>) => {
    const error = await resolving.catch((thrown: unknown) => thrown);
    return error instanceof WorkflowError ? error.problem.detail : `no error of a workflow: ${String(error)}`;
  };
  const codeOf = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain(VALUE);
    return Object(error) as { code?: string };
  };

  it('are listed by name, replaced and removed', async () => {
    const secrets = secretsWith();
    await secrets.set('weather', 'old', NOON);
    await secrets.set('mail', { username: 'me', password: 'x' }, NOON);
    await secrets.set('weather', VALUE, new Date('2026-11-22T00:00:00Z'));
    expect(await secrets.list()).toEqual([
      { name: 'mail', updatedAt: NOON },
      { name: 'weather', updatedAt: new Date('2026-11-22T00:00:00Z') },
    ]);
    expect(await secrets.resolve('weather')).toBe(VALUE);
    expect(await secrets.resolve('mail')).toEqual({ username: 'me', password: 'x' });
    await secrets.remove('mail');
    expect(await codeOf(secrets.remove('mail'))).toMatchObject({ code: 'workflows.secret_not_found' });
    expect(await detailOf(secrets.resolve('mail'))).toBe(
      'the secret "mail" does not exist: an administrator has to set it',
    );
  });

  it('are in no table in clear', async () => {
    await secretsWith().set('weather', VALUE);
    const everything = await everythingIn(database);
    expect(everything).toContain('weather');
    expect(everything).not.toContain(VALUE);
    expect(everything).not.toContain(Buffer.from(JSON.stringify(VALUE)).toString('base64'));
  });

  it('are opened only under the name that they were sealed for', async () => {
    await secretsWith().set('weather', VALUE);
    await database.updateTable('workflow_secrets').set({ name: 'other' }).execute();
    expect(await detailOf(secretsWith().resolve('other'))).toBe(
      'the secret "other" cannot be decrypted: an administrator has to set it again',
    );
  });

  it.each([
    ['a name that a workflow cannot write', ' weather', VALUE, 'workflows.invalid_secret_name'],
    ['a name that is too long', 'w'.repeat(65), VALUE, 'workflows.invalid_secret_name'],
    ['nothing', 'weather', '', 'workflows.invalid_secret'],
    ['an empty object', 'weather', {}, 'workflows.invalid_secret'],
    ['a list', 'weather', [VALUE], 'workflows.invalid_secret'],
    ['members that are no texts', 'weather', { token: VALUE, port: 1 }, 'workflows.invalid_secret'],
    ['a number', 'weather', 1, 'workflows.invalid_secret'],
    ['no value', 'weather', undefined, 'workflows.invalid_secret'],
    ['a text that is too long', 'weather', VALUE.repeat(1_000), 'workflows.invalid_secret'],
  ])('are not set to %s', async (_title, name, value, code) => {
    expect(await codeOf(secretsWith().set(name, value))).toMatchObject({ code });
    expect(await secretsWith().list()).toEqual([]);
  });

  it('are limited in number', async () => {
    const values = Array.from({ length: 500 }, (_, n) => ({ name: `secret-${n}`, value: 'x', updated_at: '' }));
    await database.insertInto('workflow_secrets').values(values).execute();
    expect(await codeOf(secretsWith().set('one-more', VALUE))).toMatchObject({ code: 'workflows.too_many_secrets' });
    await secretsWith().set('secret-7', VALUE);
    expect(await secretsWith().resolve('secret-7')).toBe(VALUE);
  });

  describe('when the key changes', () => {
    const embedded = { DATA_DIR: '/nowhere', SECRETS_KEY: 'a new passphrase' };
    const started = async () => {
      const environment = parseEnvironment({ ...embedded, DATABASE_URL: 'postgres://never-used' });
      const keys = await SealingKeys.load(environment, new SecretsService(new SecretStore(database)));
      await new SealedColumns(database).sealAnew(keys);
      await keys.forgetFormer();
      return keys;
    };

    it('are sealed anew before the previous key is forgotten', async () => {
      await secretsWith().set('weather', VALUE);
      expect(await secretsWith(await started()).resolve('weather')).toBe(VALUE);
      expect(await new SecretsService(new SecretStore(database)).find('settings')).toBeNull();
      expect(await secretsWith(await started()).resolve('weather')).toBe(VALUE);
    });

    it('are left as they are where no key opens them, and the log says which', async () => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      await secretsWith().set('weather', VALUE);
      await database.insertInto('workflow_secrets').values({ name: 'broken', value: 'x', updated_at: '' }).execute();
      expect(await secretsWith(await started()).resolve('weather')).toBe(VALUE);
      expect(warn.mock.calls).toEqual([['the workflow secret broken cannot be decrypted: enter it again']]);
      warn.mockRestore();
    });
  });

  it('move with an export, and open where the key is', async () => {
    await secretsWith().set('weather', VALUE);
    const lines: string[] = [];
    for await (const line of exportLines(database)) lines.push(line);
    expect(lines.join('\n')).not.toContain(VALUE);
    const target = await open();
    await importLines(
      target,
      (async function* () {
        yield* lines;
      })(),
      false,
    );
    expect(await secretsWith(keysInTable(), target).resolve('weather')).toBe(VALUE);
  });
});
