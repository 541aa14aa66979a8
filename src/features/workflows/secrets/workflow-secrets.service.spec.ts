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
import type { AppError } from '../../../platform/errors/app-error.js';
import type { SecretChange } from './workflow-secret.js';
import { WorkflowSecretStore } from './workflow-secret.store.js';
import { WorkflowSecrets } from './workflow-secrets.service.js';

const NOON = new Date('2026-11-21T12:00:00Z');
const VALUE = 'the-token-of-the-weather';
const ANYWHERE = { hosts: null, skills: null };

const valueOf = async (secrets: WorkflowSecrets, name: string) => (await secrets.resolve(name)).value;

describeEachDatabase('the secrets of workflows', (open) => {
  let database: Database;
  beforeEach(async () => void (database = await open()));

  const keysInTable = () => SealingKeys.inTable(new SecretsService(new SecretStore(database)));
  const secretsWith = (keys = keysInTable(), on = database) => new WorkflowSecrets(new WorkflowSecretStore(on), keys);
  const detailOf = async (resolving: Promise<unknown>) => {
    const error = await resolving.catch((thrown: unknown) => thrown);
    if (!(error instanceof WorkflowError)) return `no error of a workflow: ${String(error)}`;
    const { type, status, detail } = error.problem;
    return `${type.split('/').at(-1)} ${status}: ${detail}`;
  };
  const codeOf = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain(VALUE);
    return Object(error) as { code?: string };
  };

  it('are listed by name, replaced and removed', async () => {
    const secrets = secretsWith();
    await secrets.set('weather', { value: 'old' }, NOON);
    await secrets.set('mail', { value: { username: 'me', password: 'x' } }, NOON);
    await secrets.set('weather', { value: VALUE }, new Date('2026-11-22T00:00:00Z'));
    expect(await secrets.list()).toEqual([
      { ...ANYWHERE, name: 'mail', updatedAt: NOON },
      { ...ANYWHERE, name: 'weather', updatedAt: new Date('2026-11-22T00:00:00Z') },
    ]);
    expect(await valueOf(secrets, 'weather')).toBe(VALUE);
    expect(await valueOf(secrets, 'mail')).toEqual({ username: 'me', password: 'x' });
    await secrets.remove('mail');
    expect(await codeOf(secrets.remove('mail'))).toMatchObject({ code: 'workflows.secret_not_found' });
    expect(await detailOf(secrets.resolve('mail'))).toBe(
      'authorization 403: the secret "mail" does not exist: an administrator has to set it',
    );
  });

  it('are in no table in clear', async () => {
    await secretsWith().set('weather', { value: VALUE });
    const everything = await everythingIn(database);
    expect(everything).toContain('weather');
    expect(everything).not.toContain(VALUE);
    expect(everything).not.toContain(Buffer.from(JSON.stringify(VALUE)).toString('base64'));
  });

  it('are opened only under the name that they were sealed for', async () => {
    await secretsWith().set('weather', { value: VALUE });
    await database.updateTable('workflow_secrets').set({ name: 'other' }).execute();
    expect(await detailOf(secretsWith().resolve('other'))).toBe(
      'authorization 403: the secret "other" cannot be decrypted: an administrator has to set it again',
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
    ['null', 'weather', null, 'workflows.invalid_secret'],
    ['no value', 'weather', undefined, 'workflows.secret_value_missing'],
    ['a text that is too long', 'weather', VALUE.repeat(1_000), 'workflows.invalid_secret'],
  ])('are not set to %s', async (_title, name, value, code) => {
    expect(await codeOf(secretsWith().set(name, { value }))).toMatchObject({ code });
    expect(await secretsWith().list()).toEqual([]);
  });

  it('are limited in number', async () => {
    const values = Array.from({ length: 500 }, (_, n) => ({ name: `secret-${n}`, value: 'x', updated_at: '' }));
    await database.insertInto('workflow_secrets').values(values).execute();
    expect(await codeOf(secretsWith().set('one-more', { value: VALUE }))).toMatchObject({
      code: 'workflows.too_many_secrets',
    });
    await secretsWith().set('secret-7', { value: VALUE });
    expect(await valueOf(secretsWith(), 'secret-7')).toBe(VALUE);
  });

  describe('may be limited', () => {
    const LATER = new Date('2026-11-22T00:00:00Z');
    const refusalOf = async (place: string, secrets = secretsWith()) => {
      const { refusalOf } = await secrets.resolve('weather');
      return refusalOf(place.startsWith('http') ? { url: new URL(place) } : { function: place });
    };

    it('to hosts and skills, and say what to do where they may not go', async () => {
      await secretsWith().set('weather', { value: VALUE, hosts: ['*.Example.com:443'], skills: ['send'] });
      expect((await secretsWith().resolve('weather')).isLimited).toBe(true);
      expect(await refusalOf('https://api.example.com/')).toBeNull();
      expect(await refusalOf('https://api.example.com:8443/')).toBe(
        'The secret weather may not be sent to api.example.com:8443: an administrator can allow that host on the page Secrets.',
      );
      expect(await refusalOf('send')).toBeNull();
      expect(await refusalOf('tell')).toBe(
        'The secret weather may not be passed to the skill tell: an administrator can allow that skill on the page Secrets.',
      );
    });

    it.each([
      ['without limits, to any', {}, false, [true, true]],
      ['to no host', { hosts: [] }, true, [false, true]],
      ['to no skill', { skills: [] }, true, [true, false]],
    ])('%s', async (_title, limits, isLimited, allowed) => {
      await secretsWith().set('weather', { value: VALUE, ...limits });
      expect((await secretsWith().resolve('weather')).isLimited).toBe(isLimited);
      expect([await refusalOf('https://a.example/'), await refusalOf('send')].map((why) => why === null)).toEqual(
        allowed,
      );
    });

    it('without the value again, and keep omitted fields', async () => {
      const limits = { hosts: ['a.example', 'A.example.'], skills: ['send'] };
      const made = await secretsWith().set('weather', { value: VALUE, ...limits }, NOON);
      expect(made).toEqual({ name: 'weather', hosts: ['a.example'], skills: ['send'], updatedAt: NOON });
      const hosts = ['b.example'];
      const changed = await secretsWith().set('weather', { hosts }, LATER);
      expect(changed).toEqual({ name: 'weather', hosts, skills: ['send'], updatedAt: LATER });
      expect(await valueOf(secretsWith(), 'weather')).toBe(VALUE);
      const renewed = await secretsWith().set('weather', { value: 'new' }, LATER);
      expect(renewed).toEqual(changed);
      expect(await valueOf(secretsWith(), 'weather')).toBe('new');
      const freed = await secretsWith().set('weather', { hosts: null, skills: [] }, LATER);
      expect(freed).toMatchObject({ hosts: null, skills: [] });
      expect(await secretsWith().list()).toEqual([freed]);
    });

    it('only where there are such places, and the error says which is wrong', async () => {
      await secretsWith().set('weather', { value: VALUE, hosts: ['a.example'] });
      const fieldsOf = async (change: SecretChange) => {
        const { code, fields } = (await codeOf(secretsWith().set('weather', change))) as AppError;
        return [code, (fields ?? []).map(({ path, message }) => [path, message.split(' ')[0]])];
      };
      const hosts = ['a.example', 'https://a.example', '*'];
      expect(await fieldsOf({ hosts })).toEqual([
        'workflows.invalid_secret_limit',
        [
          ['hosts.1', '"https://a.example"'],
          ['hosts.2', '"*"'],
        ],
      ]);
      expect(await fieldsOf({ skills: ['send', 'no name'] })).toEqual([
        'workflows.invalid_secret_limit',
        [['skills.1', '"no']],
      ]);
      const many = Array.from({ length: 51 }, (_, n) => `h${n}`);
      expect(await fieldsOf({ hosts: many })).toEqual(['workflows.too_many_secret_limits', [['hosts', 'must']]]);
      expect((await secretsWith().list())[0]).toMatchObject({ hosts: ['a.example'], skills: null });
    });
  });

  describe('when the key changes', () => {
    const embedded = { DATA_DIR: '/nowhere', SECRETS_KEY: 'a new passphrase' };
    const started = async () => {
      const environment = parseEnvironment({ ...embedded, DATABASE_URL: 'postgres://never-used' });
      const keys = await SealingKeys.load(environment, new SecretsService(new SecretStore(database)));
      await new SealedColumns(database).reseal(keys);
      await keys.forgetFormer();
      return keys;
    };

    it('are sealed again before the previous key is forgotten', async () => {
      await secretsWith().set('weather', { value: VALUE });
      expect(await valueOf(secretsWith(await started()), 'weather')).toBe(VALUE);
      expect(await new SecretsService(new SecretStore(database)).find('settings')).toBeNull();
      expect(await valueOf(secretsWith(await started()), 'weather')).toBe(VALUE);
    });

    it('are left as they are where no key opens them, and the log says which', async () => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      await secretsWith().set('weather', { value: VALUE });
      await database.insertInto('workflow_secrets').values({ name: 'broken', value: 'x', updated_at: '' }).execute();
      expect(await valueOf(secretsWith(await started()), 'weather')).toBe(VALUE);
      expect(warn.mock.calls).toEqual([
        [expect.stringMatching(/^no key opens the workflow secrets broken: .* enter them again$/)],
      ]);
      warn.mockRestore();
    });
  });

  it('move with an export, with their limits, and open where the key is', async () => {
    await secretsWith().set('weather', { value: VALUE, hosts: ['a.example'] });
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
    expect(await valueOf(secretsWith(keysInTable(), target), 'weather')).toBe(VALUE);
    expect(await secretsWith(keysInTable(), target).list()).toMatchObject([{ hosts: ['a.example'], skills: null }]);
  });
});
