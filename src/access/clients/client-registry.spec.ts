import { ClientRegistry } from './client-registry.service.js';
import { MAX_NOTE, MAX_OVERLAP_HOURS, NO_LIMITS } from './client.js';
import {
  ClientKeyNotFound,
  ClientNotFound,
  ClientReserved,
  InvalidClient,
  TooManyClients,
  TooManyKeys,
} from './clients.errors.js';
import { clientsOn, PLAIN_CLIENT } from './testing.js';

const NOW = new Date('2026-01-01T00:00:00Z');

async function fieldsOf(refused: Promise<unknown>): Promise<string[]> {
  const error: unknown = await refused.catch((reason: unknown) => reason);
  if (!(error instanceof InvalidClient)) throw new Error(`this was not refused as invalid: ${String(error)}`);
  return (error.fields ?? []).map(({ path }) => path);
}

describe('ClientRegistry', () => {
  let registry: ClientRegistry;
  let world: Awaited<ReturnType<typeof clientsOn>>;

  beforeEach(async () => {
    world = await clientsOn();
    ({ registry } = world);
  });

  it.each(['default', 'admin', 'service', 'anonymous'])(
    'neither makes nor changes %s, which always exists',
    async (name) => {
      const tries = [
        registry.create(name, PLAIN_CLIENT),
        registry.update(name, PLAIN_CLIENT),
        registry.remove(name),
        registry.rotate(name, 0),
        registry.revokeKey(name, 'id'),
      ];
      for (const refused of tries) await expect(refused).rejects.toThrow(ClientReserved);
    },
  );

  it.each(['', 'A', '-a', 'a b', 'a'.repeat(65), 'ä', 'a\n'])('rejects the name %j', async (name) => {
    expect(await fieldsOf(registry.create(name, PLAIN_CLIENT))).toEqual(['name']);
  });

  it('says which field cannot be so', async () => {
    await registry.create('ci', PLAIN_CLIENT, NOW);
    const update = (change: object) => registry.update('ci', { ...PLAIN_CLIENT, ...change }, NOW);
    expect(await fieldsOf(update({ note: 'x'.repeat(MAX_NOTE + 1) }))).toEqual(['note']);
    expect(await fieldsOf(update({ groups: ['A'] }))).toEqual(['groups']);
    for (const expiresAt of [NOW, new Date('3000-01-01T00:00:00Z'), new Date(NaN)])
      expect(await fieldsOf(update({ expiresAt }))).toEqual(['expiresAt']);
    const last = new Date('2999-12-31T23:59:59.999Z');
    expect(await update({ note: 'x'.repeat(MAX_NOTE), expiresAt: last })).toMatchObject({ expiresAt: last });
  });

  it.each([-1, 1.5, NaN, MAX_OVERLAP_HOURS + 1])('makes no new key with an overlap of %d hours', async (hours) => {
    await registry.create('ci', PLAIN_CLIENT);
    expect(await fieldsOf(registry.rotate('ci', hours))).toEqual(['overlapHours']);
  });

  it('lets the previous key end after the overlap', async () => {
    await registry.create('ci', PLAIN_CLIENT, NOW);
    const { client } = await registry.rotate('ci', 2, NOW);
    expect(new Set(client.keys.map(({ expiresAt }) => expiresAt))).toEqual(
      new Set([new Date('2026-01-01T02:00:00Z'), null]),
    );
    await expect(registry.rotate('ci', 2, NOW)).rejects.toThrow(TooManyKeys);
  });

  it('lets no key last longer because another one follows it', async () => {
    await registry.create('ci', PLAIN_CLIENT, NOW);
    await registry.rotate('ci', 2, NOW);
    const latest = registry.get('ci').keys.find(({ expiresAt }) => expiresAt === null);
    await registry.revokeKey('ci', latest?.id ?? '');
    const { client } = await registry.rotate('ci', 24, NOW);
    expect(new Set(client.keys.map(({ expiresAt }) => expiresAt))).toEqual(
      new Set([new Date('2026-01-01T02:00:00Z'), null]),
    );
  });

  it('reports missing clients and keys', async () => {
    await registry.create('ci', PLAIN_CLIENT);
    await expect(registry.remove('nobody')).rejects.toThrow(ClientNotFound);
    await expect(registry.revokeKey('nobody', 'id')).rejects.toThrow(ClientNotFound);
    await expect(registry.revokeKey('ci', 'id')).rejects.toThrow(ClientKeyNotFound);
    expect(() => registry.get('nobody')).toThrow(ClientNotFound);
    await registry.remove('ci');
    expect(() => registry.get('ci')).toThrow(ClientNotFound);
  });

  it('creates no more than the maximum', async () => {
    const { database } = world;
    const row = { note: '', groups: '[]', limits: '{}', expires_at: null, created_at: NOW.toISOString() };
    const names = Array.from({ length: 1_000 }, (_, n) => `c${n}`);
    await database
      .insertInto('clients')
      .values(names.map((name) => ({ ...row, name })))
      .execute();
    await expect(registry.create('one-more', PLAIN_CLIENT)).rejects.toThrow(TooManyClients);
  });

  it('changes only what is given, also what another replica changed a moment ago', async () => {
    await registry.create('ci', { ...PLAIN_CLIENT, groups: ['prod'], limits: { ...NO_LIMITS, calls: 2 } });
    const { registry: other } = await clientsOn({ database: world.database });
    await registry.update('ci', { groups: [] });
    await other.update('ci', { note: 'for builds', limits: { streams: 3 } });
    await world.clients.reload({});
    const limits = { ...NO_LIMITS, calls: 2, streams: 3 };
    expect(registry.get('ci')).toMatchObject({ groups: [], note: 'for builds', limits });
    await Promise.all([registry.update('ci', { groups: ['dev'] }), registry.update('ci', { note: 'at once' })]);
    expect(registry.get('ci')).toMatchObject({ groups: ['dev'], note: 'at once', limits });
  });

  it('reports which clients have changed, and only those', async () => {
    const { sent } = world;
    await registry.create('ci', PLAIN_CLIENT);
    await registry.create('ide', PLAIN_CLIENT);
    await registry.update('ci', { ...PLAIN_CLIENT, note: 'new' });
    await world.clients.reload({});
    await registry.remove('ide');
    expect(sent.filter(([name]) => name === 'clients.changed').map(([, event]) => event)).toEqual([
      { names: ['ci'] },
      { names: ['ide'] },
      { names: ['ci'] },
      { names: ['ide'] },
    ]);
  });
});
