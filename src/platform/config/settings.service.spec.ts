import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Random } from '../../../test/fuzz/random.js';
import type { Database } from '../database/database.js';
import { memoryDatabase } from '../database/testing.js';
import { recordedEvents } from '../events/testing.js';
import { InvalidSetting, SettingLocked, SettingNotFound, SettingNotGenerated } from './config.errors.js';
import { SettingsStore } from './settings.store.js';
import { settingsOn } from './testing.js';

async function newSettings({
  database,
  env = {},
  store,
}: { database?: Database; env?: Record<string, string>; store?: SettingsStore } = {}) {
  const { events, sent } = recordedEvents();
  return { settings: await settingsOn({ database, env, events, store }), sent };
}

/** Delays before and after each statement, as databases do. */
class SlowSettingsStore extends SettingsStore {
  constructor(
    database: Database,
    private readonly random: Random,
  ) {
    super(database);
  }

  override list() {
    return this.slowly(() => super.list());
  }

  override save(...args: Parameters<SettingsStore['save']>) {
    return this.slowly(() => super.save(...args));
  }

  override delete(...args: Parameters<SettingsStore['delete']>) {
    return this.slowly(() => super.delete(...args));
  }

  private async slowly<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.turns();
    const result = await work();
    await this.turns();
    return result;
  }

  private async turns(): Promise<void> {
    for (let turns = this.random.integer(0, 8); turns > 0; turns -= 1) await nextTurn();
  }
}

const EMBEDDINGS_ENV = {
  KNOWLEDGE_EMBEDDINGS_URL: 'https://env.example/v1',
  KNOWLEDGE_EMBEDDINGS_KEY: 'sk-env',
};

describe('SettingsService', () => {
  it('answers the default of a setting that nobody set', async () => {
    const { settings } = await newSettings();
    expect(settings.get('mcp.tool_timeout_ms')).toBe(30_000);
    expect(settings.describe('mcp.tool_timeout_ms')).toEqual({
      key: 'mcp.tool_timeout_ms',
      type: 'integer',
      group: 'mcp',
      description: 'Time limit of each tool call.',
      default: 30_000,
      minimum: 1,
      maximum: 3_600_000,
      unit: 'ms',
      value: 30_000,
      isSet: false,
      source: 'default',
      locked: false,
      environmentVariable: 'MCP_TOOL_TIMEOUT_MS',
      secret: false,
      problem: null,
      version: 'default',
    });
  });

  it('takes a change at once, says so, and remembers it', async () => {
    const database = await memoryDatabase();
    const { settings, sent } = await newSettings({ database });
    expect(await settings.set('mcp.tool_timeout_ms', 50)).toMatchObject({ value: 50, source: 'stored', isSet: true });
    expect(settings.get('mcp.tool_timeout_ms')).toBe(50);
    expect(sent).toEqual([['setting.changed', { key: 'mcp.tool_timeout_ms' }]]);
    expect((await newSettings({ database })).settings.get('mcp.tool_timeout_ms')).toBe(50);
  });

  it('goes back to the default', async () => {
    const database = await memoryDatabase();
    const { settings, sent } = await newSettings({ database });
    await settings.set('mcp.allowed_origins', ['https://a.example']);
    expect(await settings.reset('mcp.allowed_origins')).toMatchObject({ source: 'default' });
    expect(settings.get('mcp.allowed_origins')).toContain('http://localhost');
    expect(sent).toHaveLength(2);
    expect((await newSettings({ database })).settings.isSet('mcp.allowed_origins')).toBe(false);
  });

  it.each([
    ['mcp.tool_timeout_ms', 0, 'must be a whole number from 1 to 3600000 ms'],
    ['mcp.tool_timeout_ms', 3_600_001, 'must be a whole number from 1 to 3600000 ms'],
    ['mcp.tool_timeout_ms', 1.5, 'must be a whole number from 1 to 3600000 ms'],
    ['mcp.tool_timeout_ms', '50', 'must be a whole number from 1 to 3600000 ms'],
    ['mcp.tool_timeout_ms', null, 'must be a whole number from 1 to 3600000 ms'],
    ['mcp.allowed_origins', 'http://a', 'must be a list of at most 1000 texts'],
    ['mcp.allowed_origins', ['http://a/path'], 'each entry is an origin such as'],
    ['mcp.allowed_origins', [1], 'must be a list'],
    ['mcp.api_key', '', 'must be 16 to 512 visible ASCII characters without spaces'],
    ['mcp.api_key', 'a'.repeat(15), 'must be 16 to 512 visible ASCII characters without spaces'],
    ['mcp.api_key', 'long-enough but spaced', 'must be 16 to 512 visible ASCII characters without spaces'],
    ['mcp.api_key', 'a'.repeat(513), 'must be 16 to 512 visible ASCII characters without spaces'],
    ['mcp.api_key', 'clé', 'must be 16 to 512 visible ASCII characters without spaces'],
  ])('refuses %s = %j, and says the bounds', async (key, value, message) => {
    const { settings, sent } = await newSettings();
    await expect(settings.set(key, value)).rejects.toThrow(InvalidSetting);
    await expect(settings.set(key, value)).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it('rejects an unknown key', async () => {
    const { settings } = await newSettings();
    await expect(settings.set('mcp.nothing', 1)).rejects.toThrow(SettingNotFound);
    await expect(settings.reset('toString')).rejects.toThrow(SettingNotFound);
    expect(() => settings.describe('__proto__')).toThrow(SettingNotFound);
  });

  it('recognises a secret and never shows it, neither in descriptions nor in the database', async () => {
    const database = await memoryDatabase();
    const { settings } = await newSettings({ database });
    expect(settings.matchesSecret('mcp.api_key', '')).toBe(false);
    const described = await settings.set('mcp.api_key', 'correct-horse-battery');
    expect(described).toMatchObject({ value: null, default: null, isSet: true, secret: true });
    expect(settings.matchesSecret('mcp.api_key', 'correct-horse-battery')).toBe(true);
    expect(settings.matchesSecret('mcp.api_key', 'correct-horse-batterz')).toBe(false);
    expect(JSON.stringify(settings.list())).not.toContain('correct-horse-battery');
    expect(JSON.stringify(await database.selectFrom('settings').selectAll().execute())).not.toContain(
      'correct-horse-battery',
    );
    const restarted = (await newSettings({ database })).settings;
    expect(restarted.matchesSecret('mcp.api_key', 'correct-horse-battery')).toBe(true);
  });

  it('forgets a secret that is reset', async () => {
    const { settings } = await newSettings();
    await settings.set('mcp.api_key', 'k'.repeat(16));
    await settings.reset('mcp.api_key');
    expect([settings.isSet('mcp.api_key'), settings.matchesSecret('mcp.api_key', 'k'.repeat(16))]).toEqual([
      false,
      false,
    ]);
  });

  it('keeps a credential for use and never shows it, neither in descriptions nor in the database', async () => {
    const database = await memoryDatabase();
    const { settings } = await newSettings({ database });
    expect(settings.findCredential('knowledge.embeddings_key')).toBeUndefined();
    await settings.set('knowledge.embeddings_url', 'https://api.example/v1');
    const described = await settings.set('knowledge.embeddings_key', 'sk-one');
    expect(described).toMatchObject({ type: 'credential', value: null, default: null, isSet: true, secret: true });
    expect(JSON.stringify(settings.list())).not.toContain('sk-one');
    expect(JSON.stringify(await database.selectFrom('settings').selectAll().execute())).not.toContain('sk-one');
    const restarted = (await newSettings({ database })).settings;
    expect(restarted.findCredential('knowledge.embeddings_key')).toBe('sk-one');
    await restarted.reset('knowledge.embeddings_key');
    expect(restarted.findCredential('knowledge.embeddings_key')).toBeUndefined();
    await expect(restarted.generate('knowledge.embeddings_key')).rejects.toThrow(SettingNotGenerated);
  });

  it('takes a credential from the environment', async () => {
    const { settings } = await newSettings({ env: EMBEDDINGS_ENV });
    expect(settings.findCredential('knowledge.embeddings_key')).toBe('sk-env');
    expect(settings.describe('knowledge.embeddings_key')).toMatchObject({ locked: true, value: null });
  });

  it('presents a credential to the server that it was entered for, and to no other', async () => {
    const database = await memoryDatabase();
    const { settings } = await newSettings({ database });
    const key = 'knowledge.embeddings_key';
    await expect(settings.set(key, 'sk-one')).rejects.toThrow('set knowledge.embeddings_url first');
    await settings.set('knowledge.embeddings_url', 'https://api.example/v1');
    await settings.set(key, 'sk-one');
    await settings.set('knowledge.embeddings_url', 'https://API.example:443/v2');
    expect([settings.findCredential(key), settings.credentialProblem(key)]).toEqual(['sk-one', null]);
    for (const url of ['http://api.example/v1', 'https://api.example:8443/v1', 'https://evil.example/api.example']) {
      await settings.set('knowledge.embeddings_url', url);
      for (const one of [settings, (await newSettings({ database })).settings]) {
        expect(one.findCredential(key)).toBeUndefined();
        const again = `was entered for https://api.example, so it is not presented: enter the key again for ${new URL(url).origin}`;
        expect(one.describe(key)).toMatchObject({ isSet: true, problem: `${key} ${again}` });
      }
    }
    await settings.reset('knowledge.embeddings_url');
    expect([settings.findCredential(key), settings.credentialProblem(key)]).toEqual([undefined, null]);
  });

  it('says in the log that a credential is for another server', async () => {
    const { settings } = await newSettings();
    await settings.set('knowledge.embeddings_url', 'https://api.example/v1');
    await settings.set('knowledge.embeddings_key', 'sk-one');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await settings.set('knowledge.embeddings_url', 'https://other.example/v1');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('enter the key again for https://other.example'));
    warn.mockRestore();
  });

  it('ignores a credential whose origin was changed in the database', async () => {
    const database = await memoryDatabase();
    const { settings } = await newSettings({ database });
    await settings.set('knowledge.embeddings_url', 'https://api.example/v1');
    await settings.set('knowledge.embeddings_key', 'sk-one');
    const store = new SettingsStore(database);
    const stored = (await store.list()).find(({ key }) => key === 'knowledge.embeddings_key')?.value as object;
    await store.save('knowledge.embeddings_key', { ...stored, origin: 'https://evil.example' }, new Date());
    await store.save('knowledge.embeddings_url', 'https://evil.example/v1', new Date());
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const restarted = (await newSettings({ database })).settings;
    expect(restarted.findCredential('knowledge.embeddings_key')).toBeUndefined();
    warn.mockRestore();
  });

  it.each([
    'https://user:secret@api.example/v1',
    'https://user@api.example/v1',
    'https://@api.example',
    'https://a\\@b',
    'https://',
  ])('refuses the server %s', async (url) => {
    const { settings } = await newSettings();
    await expect(settings.set('knowledge.embeddings_url', url)).rejects.toThrow('without user name, password');
  });

  it('generates a secret, and only a secret', async () => {
    const { settings, sent } = await newSettings();
    const key = await settings.generate('mcp.api_key');
    expect(key).toMatch(/^ask_[A-Za-z0-9_-]{43}$/);
    expect(settings.matchesSecret('mcp.api_key', key)).toBe(true);
    expect(sent).toEqual([['setting.changed', { key: 'mcp.api_key' }]]);
    await expect(settings.generate('mcp.tool_timeout_ms')).rejects.toThrow(SettingNotGenerated);
  });

  it('lets the environment win over what is stored, and locks it', async () => {
    const database = await memoryDatabase();
    await (await newSettings({ database })).settings.set('mcp.tool_timeout_ms', 1);
    const { settings } = await newSettings({
      database,
      env: { MCP_TOOL_TIMEOUT_MS: '77', MCP_API_KEY: 'from-the-environment' },
    });
    expect(settings.get('mcp.tool_timeout_ms')).toBe(77);
    expect(settings.describe('mcp.tool_timeout_ms')).toMatchObject({ source: 'environment', locked: true, value: 77 });
    expect(settings.matchesSecret('mcp.api_key', 'from-the-environment')).toBe(true);
    await expect(settings.set('mcp.tool_timeout_ms', 5)).rejects.toThrow(SettingLocked);
    await expect(settings.set('mcp.tool_timeout_ms', 5)).rejects.toThrow('MCP_TOOL_TIMEOUT_MS');
    await expect(settings.reset('mcp.api_key')).rejects.toThrow(SettingLocked);
    await expect(settings.generate('mcp.api_key')).rejects.toThrow(SettingLocked);
  });

  it('takes over what another process stored, and says what changed', async () => {
    const database = await memoryDatabase();
    const [one, other] = [await newSettings({ database }), await newSettings({ database })];
    await one.settings.set('mcp.tool_timeout_ms', 50);
    await one.settings.set('mcp.api_key', 'new-key-of-another');
    await one.settings.set('knowledge.embeddings_url', 'https://api.example/v1');
    await one.settings.set('knowledge.embeddings_key', 'sk-one');
    await other.settings.reload();
    expect(other.settings.get('mcp.tool_timeout_ms')).toBe(50);
    expect(other.settings.matchesSecret('mcp.api_key', 'new-key-of-another')).toBe(true);
    expect(other.settings.findCredential('knowledge.embeddings_key')).toBe('sk-one');
    expect(other.sent.map(([, event]) => event)).toEqual(
      ['knowledge.embeddings_key', 'knowledge.embeddings_url', 'mcp.api_key', 'mcp.tool_timeout_ms'].map((key) => ({
        key,
        isFromElsewhere: true,
      })),
    );
    await one.settings.reset('mcp.tool_timeout_ms');
    await other.settings.reload();
    await other.settings.reload();
    expect(other.settings.describe('mcp.tool_timeout_ms')).toMatchObject({ value: 30_000, source: 'default' });
    expect(other.sent).toHaveLength(5);
  });

  it('changes only the version that the caller knows, also when another replica has changed it', async () => {
    const database = await memoryDatabase();
    const [one, other] = [await newSettings({ database }), await newSettings({ database })];
    const key = 'mcp.tool_timeout_ms';
    const { version } = await one.settings.set(key, 50, 'default');
    await expect(other.settings.set(key, 60, 'default')).rejects.toMatchObject({
      kind: 'outdated',
      message: expect.stringContaining('it is 50 now') as string,
      present: { value: 50, version },
    });
    expect(other.settings.get(key)).toBe(50);
    await expect(other.settings.reset(key, 'default')).rejects.toThrow('somebody has changed');
    const next = await other.settings.set(key, 60, version);
    expect(next.version > version).toBe(true);
    await expect(one.settings.reset(key, version)).rejects.toMatchObject({ present: { value: 60 } });
    expect(await one.settings.reset(key, next.version)).toMatchObject({ value: 30_000, version: 'default' });
    expect(await one.settings.reset(key, 'default')).toMatchObject({ version: 'default' });
    await expect(other.settings.set(key, 70, next.version)).rejects.toMatchObject({ present: { value: 30_000 } });
    expect((await other.settings.set(key, 70)).value).toBe(70);
  });

  it('gives each change another version, however fast they follow each other', async () => {
    const { settings } = await newSettings();
    const versions: string[] = [];
    for (const ms of [1, 2, 3, 4, 4]) versions.push((await settings.set('mcp.tool_timeout_ms', ms)).version);
    expect(new Set(versions).size).toBe(5);
  });

  it('keeps what it saves while it takes over what others stored', async () => {
    const { settings } = await newSettings();
    await Promise.all([settings.reload(), settings.set('mcp.tool_timeout_ms', 50), settings.reload()]);
    expect(settings.get('mcp.tool_timeout_ms')).toBe(50);
  });

  it.each([1, 2, 3, 4, 5])('stores what is in force, however long each write takes (seed %d)', async (seed) => {
    const database = await memoryDatabase();
    const random = new Random(seed);
    const store = new SlowSettingsStore(database, random);
    const { settings } = await newSettings({ database, store });
    const values: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const changes = Array.from({ length: random.integer(1, 6) }, () => {
        if (random.chance(0.2)) return settings.reload();
        if (random.chance(0.2)) {
          values.push(30_000);
          return settings.reset('mcp.tool_timeout_ms');
        }
        values.push(random.integer(1, 1_000));
        return settings.set('mcp.tool_timeout_ms', values.at(-1));
      });
      await Promise.all(changes);
      const inForce = settings.get('mcp.tool_timeout_ms');
      expect(inForce).toBe(values.at(-1) ?? 30_000);
      expect((await newSettings({ database })).settings.get('mcp.tool_timeout_ms')).toBe(inForce);
    }
  });

  it('leaves settings to the environment that it determines, whatever is stored elsewhere', async () => {
    const database = await memoryDatabase();
    const { settings, sent } = await newSettings({ database, env: { MCP_TOOL_TIMEOUT_MS: '77' } });
    await (await newSettings({ database })).settings.set('mcp.tool_timeout_ms', 50);
    await settings.reload();
    expect([settings.get('mcp.tool_timeout_ms'), sent]).toEqual([77, []]);
  });

  it('uses the default where a stored value does not fit any more', async () => {
    const database = await memoryDatabase();
    const store = new SettingsStore(database);
    await store.save('mcp.tool_timeout_ms', -1, new Date());
    await store.save('mcp.api_key', 'plain', new Date());
    await store.save('knowledge.embeddings_key', { sealed: 'AAAA' }, new Date());
    await store.save('gone.setting', 1, new Date());
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { settings } = await newSettings({ database });
    expect(settings.get('mcp.tool_timeout_ms')).toBe(30_000);
    expect(settings.isSet('mcp.api_key')).toBe(false);
    expect(settings.isSet('knowledge.embeddings_key')).toBe(false);
    expect(warn).toHaveBeenCalledTimes(3);
  });

  it('uses the entries of a stored list that fit, where others do not fit any more', async () => {
    const database = await memoryDatabase();
    await new SettingsStore(database).save('http.allowed_hosts', ['feeds.corp', '10.0.0.0/99'], new Date());
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { settings } = await newSettings({ database });
    expect(settings.get('http.allowed_hosts')).toEqual(['feeds.corp']);
    expect(settings.isSet('http.allowed_hosts')).toBe(true);
    expect(warn).toHaveBeenLastCalledWith(expect.stringContaining('"10.0.0.0/99"'));
    const refused = settings.set('http.allowed_hosts', ['a.corp', 'http://foo']);
    await expect(refused).rejects.toMatchObject({ fields: [{ path: 'value.1' }] });
    await expect(refused).rejects.toThrow('"http://foo" cannot be used');
  });
});
