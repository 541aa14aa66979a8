import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import { growingPartsOf, statementsOf } from '../../platform/database/plans.testing.js';
import { until } from '../../../test/support/until.js';
import { AdministratorStore } from '../accounts/administrator.store.js';
import { MAX_OVERLAP_HOURS } from './client.js';
import { ClientExists, ClientNotFound, ClientReserved, InvalidClient, TooManyKeys } from './clients.errors.js';
import { clientsOn, PLAIN_CLIENT } from './testing.js';

const API_KEY = 'long-enough-k3y!';
const bearer = (key: string) => `Bearer ${key}`;

describe('the key mcp.api_key', () => {
  it.each(['Bearer long-enough-k3y!', 'bearer long-enough-k3y!', 'BEARER   long-enough-k3y! '])(
    'is recognised in %j',
    async (header) => {
      const { clients } = await clientsOn({ apiKey: API_KEY });
      expect(clients.authenticate(header)).toEqual({ name: 'default', groups: [] });
      expect(clients.authenticate(header)).toBe(clients.authenticate(header));
    },
  );

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer long-enough-k3y',
    'Bearer long-enough-k3y! x',
    'Bearer long-enough-k3y!, Bearer long-enough-k3y!',
    'Bearer\tlong-enough-k3y!',
    'Bearer \u00a0long-enough-k3y!',
    'Basic long-enough-k3y!',
    'long-enough-k3y!',
  ])('is not in %j', async (header) => {
    const { clients } = await clientsOn({ apiKey: API_KEY });
    expect(clients.authenticate(header)).toBeNull();
  });

  it('accepts nobody, and is not configured, while it is not set', async () => {
    const { clients, settings } = await clientsOn();
    expect([clients.isConfigured(), clients.count(), clients.authenticate(bearer(API_KEY))]).toEqual([false, 0, null]);
    await settings.set('mcp.api_key', API_KEY);
    expect([clients.isConfigured(), clients.count()]).toEqual([true, 1]);
  });

  it('ends what its client has open only when it changes', async () => {
    const { settings, sent } = await clientsOn({ apiKey: API_KEY });
    sent.length = 0;
    await settings.set('mcp.tool_timeout_ms', 5);
    await settings.set('mcp.api_key', 'another-long-one!');
    expect(sent.filter(([name]) => name === 'client.revoked')).toEqual([['client.revoked', { client: 'default' }]]);
  });
});

describe('a client that is removed', () => {
  it('has its sessions deleted without reading those of others', async () => {
    const { registry, database } = await clientsOn();
    await registry.create('ci', PLAIN_CLIENT);
    const statements = await statementsOf(() => registry.remove('ci'));
    const [deletion, ...others] = statements.filter(({ sql }) => sql.startsWith('delete from "mcp_sessions"'));
    expect(others).toEqual([]);
    expect(deletion && (await growingPartsOf(database, deletion, 0))).toEqual([]);
  });
});

describe('a service that starts', () => {
  it('deletes the sessions of keys that ended while it was stopped, and no others', async () => {
    const { registry, sessions, database } = await clientsOn();
    const { key } = await registry.create('ci', PLAIN_CLIENT);
    const opened = { protocolVersion: '2025-11-25', initialize: {}, logLevel: null, subscriptions: [], eventSeq: 0 };
    const open = (id: string, client: string, shown: string | null) =>
      sessions.create({ ...opened, id, client, key: shown, lastSeenAt: new Date() });
    await open('valid', 'ci', key.slice(0, 12));
    await open('of a former key', 'ci', 'ask_former00');
    await open('of a former client', 'gone', 'ask_gone0000');
    await open('of the default client', 'default', null);
    await clientsOn({ database });
    const left = await sessions.listPage({ limit: 10 });
    expect(left.items.map(({ id }) => id).sort()).toEqual(['of the default client', 'valid']);
  });
});

describe('a caller that is created again under the name of another', () => {
  it('is another owner', async () => {
    const { clients, registry } = await clientsOn();
    await registry.create('ci', PLAIN_CLIENT, new Date('2026-01-01T00:00:00Z'));
    const former = clients.find('ci');
    await registry.remove('ci');
    const { key } = await registry.create('ci', PLAIN_CLIENT, new Date('2026-01-02T00:00:00Z'));
    expect(clients.authenticate(bearer(key))?.owner).toBe(clients.find('ci')?.owner);
    expect(clients.find('ci')?.owner).not.toBe(former?.owner);
  });

  it('takes over nothing that a person has open, also when nobody saw the account gone', async () => {
    const { clients, database, sent } = await clientsOn();
    const accounts = new AdministratorStore(database);
    const password = { passwordHash: 'x', stamp: 's', at: new Date('2026-01-01T00:00:00Z') };
    await accounts.addIfAbsent('ada', 'member', password);
    await clients.reload({});
    const former = clients.find('person:ada');
    await accounts.delete('ada');
    await accounts.addIfAbsent('ada', 'member', { ...password, at: new Date('2026-01-02T00:00:00Z') });
    await clients.reload({});
    expect(sent).toContainEqual(['client.revoked', { client: 'person:ada' }]);
    expect(clients.find('person:ada')?.owner).not.toBe(former?.owner);
  });
});

describe('the key of a named client', () => {
  it('is recognised, with the groups of the client and what may be shown of it', async () => {
    const { clients, registry } = await clientsOn();
    const { key } = await registry.create('ci', { ...PLAIN_CLIENT, groups: ['build', 'robots'] });
    expect(clients.authenticate(bearer(key))).toMatchObject({
      name: 'ci',
      groups: ['build', 'robots'],
      origin: { key: key.slice(0, 12) },
    });
    expect(clients.authenticate(bearer(key))).toBe(clients.authenticate(bearer(key)));
    expect([clients.isConfigured(), clients.count()]).toEqual([true, 1]);
  });

  it('is stored only as a hash', async () => {
    const { registry, database } = await clientsOn();
    const { key } = await registry.create('ci', PLAIN_CLIENT);
    await registry.rotate('ci', 1);
    const rows = await keyRows(database);
    expect(rows.map(({ shown }) => shown)).toContain(key.slice(0, 12));
    expect(JSON.stringify(rows)).not.toContain(key.slice(0, 14));
  });

  it('cannot be replaced by anything that is like it', async () => {
    const { clients, registry, database } = await clientsOn({ apiKey: API_KEY });
    const { key } = await registry.create('ci', PLAIN_CLIENT);
    const { key: other } = await registry.create('other', PLAIN_CLIENT);
    const [row] = await keyRows(database);
    const attempts = [
      row?.hash ?? '',
      createHash('sha256').update(key).digest('hex'),
      `ask_${row?.hash ?? ''}`,
      row?.shown ?? '',
      row?.id ?? '',
      key.toUpperCase(),
      key.toLowerCase(),
      key.replace('ask_', 'ASK_'),
      `${key}0`,
      `0${key}`,
      key.slice(0, -1),
      key.slice(4),
      `${key}=`,
      `${key}%00`,
      key.slice(0, 47) + other.slice(47),
      other.slice(0, 47) + key.slice(47),
      `${key},${other}`,
      `${key} ${other}`,
      `"${key}"`,
      'ci',
      `ci:${key}`,
      API_KEY.toUpperCase(),
      `${API_KEY}${key}`,
    ];
    expect(attempts.filter((text) => clients.authenticate(bearer(text)) !== null)).toEqual([]);
    expect(clients.authenticate(key)).toBeNull();
    expect(clients.authenticate(`Basic ${Buffer.from(`ci:${key}`).toString('base64')}`)).toBeNull();
    expect(clients.authenticate(bearer(key))?.name).toBe('ci');
    expect(clients.authenticate(bearer(API_KEY))?.name).toBe('default');
  });

  it('is recognised over a connection on which others are sent, too, until it is revoked', async () => {
    const { clients, registry } = await clientsOn({ apiKey: API_KEY });
    const { key, client } = await registry.create('ci', PLAIN_CLIENT);
    const { key: other } = await registry.create('other', PLAIN_CLIENT);
    const connection = {};
    const names = () =>
      [key, key, `${key}x`, other, `Bearer ${key}`, API_KEY, key].map(
        (sent) => clients.authenticate(bearer(sent), connection)?.name,
      );
    expect(names()).toEqual(['ci', 'ci', undefined, 'other', undefined, 'default', 'ci']);
    await registry.revokeKey('ci', client.keys[0]?.id ?? '');
    expect(names()).toEqual([undefined, undefined, undefined, 'other', undefined, 'default', undefined]);
    expect(clients.authenticate(undefined, connection)).toBeNull();
  });

  it('ends by itself when its client expires, or when the overlap of a rotation is over', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const { clients, registry, sent } = await clientsOn();
      const hour = 3_600_000;
      const { key } = await registry.create('soon', { ...PLAIN_CLIENT, expiresAt: new Date(Date.now() + hour) });
      expect(clients.authenticate(bearer(key))?.name).toBe('soon');
      await jest.advanceTimersByTimeAsync(hour);
      expect(sent).toContainEqual(['client.revoked', { client: 'soon', key: key.slice(0, 12) }]);
      expect([clients.authenticate(bearer(key)), clients.find('soon'), clients.isConfigured()]).toEqual([
        null,
        null,
        false,
      ]);
      await registry.update('soon', PLAIN_CLIENT);
      expect(clients.authenticate(bearer(key))?.name).toBe('soon');
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends by itself also while the clients cannot be read', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const { clients, registry, database, sent } = await clientsOn();
      const { key } = await registry.create('soon', { ...PLAIN_CLIENT, expiresAt: new Date(Date.now() + 5_000) });
      await database.schema.alterTable('client_keys').renameTo('away').execute();
      await expect(clients.reload({})).rejects.toThrow();
      await jest.advanceTimersByTimeAsync(6_000);
      expect(sent).toContainEqual(['client.revoked', { client: 'soon', key: key.slice(0, 12) }]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is listed after the key that it replaced, also when both were made in the same millisecond', async () => {
    const { registry } = await clientsOn();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'] });
    try {
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) {
        await registry.create(name, PLAIN_CLIENT);
        const { client } = await registry.rotate(name, 24);
        expect(client.keys.map(({ expiresAt }) => expiresAt !== null)).toEqual([true, false]);
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it('stays valid for the overlap of a rotation, or ends at once', async () => {
    const { clients, registry } = await clientsOn();
    const { key: first } = await registry.create('ci', PLAIN_CLIENT);
    const { key: second, client } = await registry.rotate('ci', 24);
    expect(client.keys.map(({ expiresAt }) => expiresAt !== null)).toEqual([true, false]);
    expect([first, second].map((key) => clients.authenticate(bearer(key))?.name)).toEqual(['ci', 'ci']);
    await expect(registry.rotate('ci', 1)).rejects.toThrow(TooManyKeys);
    await registry.revokeKey('ci', client.keys[0]?.id ?? '');
    const { key: third } = await registry.rotate('ci', 0);
    expect([first, second, third].map((key) => clients.authenticate(bearer(key))?.name)).toEqual([
      undefined,
      undefined,
      'ci',
    ]);
    await expect(registry.rotate('ci', MAX_OVERLAP_HOURS + 1)).rejects.toThrow(InvalidClient);
  });
});

describe('clients', () => {
  it.each(['', 'Ci', 'c i', '-ci', '.', '..', 'cí', 'ci\0', 'ci\n', 'ｃi', 'a'.repeat(65), '__proto__'])(
    'cannot be called %j',
    async (name) => {
      const { registry } = await clientsOn();
      await expect(registry.create(name, PLAIN_CLIENT)).rejects.toThrow(InvalidClient);
    },
  );

  it.each(['default', 'admin', 'service', 'anonymous'])('cannot take the place of %s', async (name) => {
    const { registry, clients } = await clientsOn();
    await expect(registry.create(name, PLAIN_CLIENT)).rejects.toThrow(ClientReserved);
    await expect(registry.remove(name)).rejects.toThrow(ClientReserved);
    expect(clients.find(name)).toEqual({ name, groups: [] });
  });

  it.each(['constructor', 'tostring', 'hasownproperty'])('may be called %s without harm', async (name) => {
    const { registry, clients } = await clientsOn();
    expect(clients.find(name)).toBeNull();
    const { key } = await registry.create(name, PLAIN_CLIENT);
    expect(clients.authenticate(bearer(key))?.name).toBe(name);
  });

  it('are made once, and refused with what is wrong', async () => {
    const { registry } = await clientsOn();
    await registry.create('ci', PLAIN_CLIENT);
    await expect(registry.create('ci', PLAIN_CLIENT)).rejects.toThrow(ClientExists);
    await expect(registry.update('nobody', PLAIN_CLIENT)).rejects.toThrow(ClientNotFound);
    await expect(registry.rotate('nobody', 0)).rejects.toThrow(ClientNotFound);
    for (const groups of [['A'], ['a', 'a'], Array.from({ length: 33 }, (_, n) => `g${n}`)]) {
      await expect(registry.update('ci', { ...PLAIN_CLIENT, groups })).rejects.toThrow(InvalidClient);
    }
    for (const expiresAt of [new Date(0), new Date(NaN)]) {
      await expect(registry.update('ci', { ...PLAIN_CLIENT, expiresAt })).rejects.toThrow(InvalidClient);
    }
  });

  it('have the groups that they have now', async () => {
    const { registry, clients, sent } = await clientsOn();
    const { key } = await registry.create('ci', { ...PLAIN_CLIENT, groups: ['b', 'a'] });
    sent.length = 0;
    await registry.update('ci', { ...PLAIN_CLIENT, groups: ['c'] });
    expect([clients.authenticate(bearer(key))?.groups, clients.find('ci')?.groups, clients.groups()]).toEqual([
      ['c'],
      ['c'],
      ['c'],
    ]);
    expect(sent).toEqual([['clients.changed', { names: ['ci'] }]]);
  });

  it('are put in force later when they cannot be read at first', async () => {
    const { clients, registry, database } = await clientsOn();
    const { key } = await registry.create('ci', PLAIN_CLIENT);
    await database.schema.alterTable('client_keys').renameTo('away').execute();
    await expect(clients.reload({})).rejects.toThrow();
    expect(clients.authenticate(bearer(key))?.name).toBe('ci');
    await database.deleteFrom('clients').execute();
    await database.schema.alterTable('away').renameTo('client_keys').execute();
    await until(() => clients.authenticate(bearer(key)) === null);
  });
});

const keyRows = (database: Database) => database.selectFrom('client_keys').selectAll().orderBy('created_at').execute();
