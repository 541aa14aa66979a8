import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../database/database.js';
import { openSqlite } from '../database/open-database.js';
import { describeEachDatabase } from '../database/testing.js';
import { parseEnvironment } from '../environment/environment.js';
import { recordedEvents } from '../events/testing.js';
import { SealingKeys } from '../secrets/sealing-keys.service.js';
import { SecretStore } from '../secrets/secret.store.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { SettingsService } from './settings.service.js';
import { SettingsStore } from './settings.store.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const CREDENTIAL = 'knowledge.embeddings_key';
const POSTGRES = { DATABASE_URL: 'postgres://never-used' };

describeEachDatabase('the key that credentials are sealed with', (open, dialect) => {
  let folder: string;
  let database: Database;
  beforeEach(async () => {
    folder = temporaryFolder();
    database = await open();
  });

  const secretsOf = () => new SecretsService(new SecretStore(database));
  const started = async (env: Record<string, string> = {}) => {
    const environment = parseEnvironment({ DATA_DIR: folder, ...(dialect === 'postgres' && POSTGRES), ...env });
    const sealing = await SealingKeys.load(environment, secretsOf());
    const store = new SettingsStore(database);
    return SettingsService.load({ store, environment, sealing, events: recordedEvents().events });
  };
  const withCredential = async (env: Record<string, string> = {}) => {
    const settings = await started(env);
    await settings.set('knowledge.embeddings_url', 'https://api.example/v1');
    await settings.set(CREDENTIAL, 'sk-one');
  };
  const credentialWith = async (env: Record<string, string> = {}) => (await started(env)).findCredential(CREDENTIAL);
  const inTable = () => secretsOf().find('settings');
  const file = (name = 'secrets.key') => join(folder, name);

  it('comes from the environment, and is kept nowhere', async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    await withCredential({ SECRETS_KEY });
    expect(await credentialWith({ SECRETS_KEY })).toBe('sk-one');
    expect([await inTable(), existsSync(file())]).toEqual([null, false]);
    expect(await credentialWith({ SECRETS_KEY: 'another passphrase' })).toBeUndefined();
  });

  it('comes from a file, where one is named', async () => {
    writeFileSync(file('mounted'), ' a passphrase in a file\n');
    const env = { SECRETS_KEY_FILE: file('mounted') };
    await withCredential(env);
    expect(await credentialWith(env)).toBe('sk-one');
    expect(await credentialWith({ SECRETS_KEY: 'a passphrase in a file' })).toBe('sk-one');
    expect(await inTable()).toBeNull();
    writeFileSync(file('mounted'), 'too short');
    await expect(started(env)).rejects.toThrow('it must hold base64 of 32 random bytes');
  });

  it.each([
    ['the environment', { SECRETS_KEY: 'a new passphrase' }],
    ['a file that is named', { SECRETS_KEY_FILE: 'given.key' }],
  ])('moves from the table to %s, and the credentials are sealed again', async (_title, after) => {
    const env = 'SECRETS_KEY_FILE' in after ? { SECRETS_KEY_FILE: file(after.SECRETS_KEY_FILE) } : after;
    if ('SECRETS_KEY_FILE' in env) writeFileSync(env.SECRETS_KEY_FILE, randomBytes(32).toString('base64'));
    await sealedByTheTable();
    expect(await credentialWith(env)).toBe('sk-one');
    expect(await inTable()).toBeNull();
    expect(await credentialWith(env)).toBe('sk-one');
  });

  it('is not made up where the file that is named is missing: the start says how to make one', async () => {
    const missing = join(folder, 'no', 'such.key');
    await expect(started({ SECRETS_KEY_FILE: missing })).rejects.toThrow(missing);
    await expect(started({ SECRETS_KEY_FILE: missing })).rejects.toThrow('openssl rand -base64 32 >');
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });

  /** Stores a credential sealed by the key in the table, as a transfer from PostgreSQL does. */
  async function sealedByTheTable(): Promise<void> {
    const sealing = SealingKeys.inTable(secretsOf());
    const store = new SettingsStore(database);
    await store.save('knowledge.embeddings_url', 'https://api.example/v1', new Date());
    const origin = 'https://api.example';
    await store.save(
      CREDENTIAL,
      { ...(await sealing.seal('sk-one', `${CREDENTIAL} for ${origin}`)), origin },
      new Date(),
    );
  }

  if (dialect === 'postgres') {
    it('stays in the table that all replicas share, unless the environment says otherwise', async () => {
      await withCredential();
      expect([(await inTable())?.length, existsSync(file())]).toEqual([32, false]);
      expect(await credentialWith()).toBe('sk-one');
    });

    it('is not sealed with any more once another replica has moved it to the environment', async () => {
      const env = { SECRETS_KEY: 'a new passphrase' };
      await withCredential();
      const late = await started();
      expect(await credentialWith(env)).toBe('sk-one');
      const refused = late.set(CREDENTIAL, 'sk-two');
      await expect(refused).rejects.toMatchObject({ kind: 'unavailable', code: 'config.secrets_key_moved' });
      await expect(refused).rejects.toThrow('start this one with the same SECRETS_KEY');
      expect(await inTable()).toBeNull();
      expect(await credentialWith(env)).toBe('sk-one');
    });

    it('is read from the table again where another replica has put it there meanwhile', async () => {
      const early = await started({ SECRETS_KEY: 'a new passphrase' });
      await withCredential();
      await early.reload();
      expect(early.findCredential(CREDENTIAL)).toBe('sk-one');
    });
    return;
  }

  it('is in a file of its own, for its owner alone, once it is needed', async () => {
    await started();
    expect(existsSync(file())).toBe(false);
    await withCredential();
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect(await inTable()).toBeNull();
    expect(await credentialWith()).toBe('sk-one');
    rmSync(file());
    expect(await credentialWith()).toBeUndefined();
  });

  it('moves from the table to the file, also when it was interrupted, and leaves nothing in the database', async () => {
    database = await openSqlite(file('a.db'));
    await sealedByTheTable();
    const key = (await inTable())?.toString('base64') ?? '';
    writeFileSync(file(), key); // then the machine crashed
    expect(await credentialWith()).toBe('sk-one');
    expect(await inTable()).toBeNull();
    expect(readFileSync(file(), 'utf8').trim()).toBe(key);
    await database.destroy();
    expect(readFileSync(file('a.db'), 'latin1')).not.toContain(key);
    database = await openSqlite(file('a.db'));
    expect(await credentialWith()).toBe('sk-one');
    await database.destroy();
  });

  it('moves from the table to a file that it makes', async () => {
    await sealedByTheTable();
    const key = await inTable();
    expect(await credentialWith()).toBe('sk-one');
    expect([await inTable(), Buffer.from(readFileSync(file(), 'utf8'), 'base64')]).toEqual([null, key]);
  });

  it.each([
    ['the environment', 'SECRETS_KEY'],
    ['a file that is named', 'SECRETS_KEY_FILE'],
  ])('moves from its file to %s', async (_title, variable) => {
    await withCredential();
    writeFileSync(file('given.key'), 'a new passphrase');
    const env = { [variable]: variable === 'SECRETS_KEY' ? 'a new passphrase' : file('given.key') };
    expect(await credentialWith(env)).toBe('sk-one');
    rmSync(file());
    expect(await credentialWith(env)).toBe('sk-one');
  });

  it('moves to the environment from its file and from one that was named, whichever sealed', async () => {
    await withCredential();
    writeFileSync(file('given.key'), 'a new passphrase');
    const env = { SECRETS_KEY: 'the newest passphrase', SECRETS_KEY_FILE: file('given.key') };
    expect(await credentialWith(env)).toBe('sk-one');
  });
});
