import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AdminSessionStore } from '../../src/access/accounts/admin-session.store.js';
import { AccountIdentityStore } from '../../src/access/single-sign-on/account-identity.store.js';
import type { ProviderDetails } from '../../src/access/single-sign-on/login-provider.js';
import { LoginProviderStore } from '../../src/access/single-sign-on/login-provider.store.js';
import { AdministratorStore } from '../../src/access/accounts/administrator.store.js';
import type { Session } from '../../src/access/clients/session.js';
import { SessionStore } from '../../src/access/clients/session.store.js';
import { SettingsStore } from '../../src/platform/config/settings.store.js';
import { KeyValueStore } from '../../src/platform/database/key-value.store.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { FeedReader } from '../../src/features/feeds/reading/reader.service.js';
import { newFeed, newItem, toSave } from '../../src/features/feeds/testing.js';
import { ChangeLogStore } from '../../src/entrypoints/mcp/change-log.store.js';
import { StreamJournalStore } from '../../src/entrypoints/mcp/stream-journal.store.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { FeedResources } from '../../src/features/feeds/feeds.provider.js';
import { MemoryResources } from '../../src/features/memory/memory.provider.js';
import { SecretStore } from '../../src/platform/secrets/secret.store.js';
import { SkillStateStore } from '../../src/core/skills/skill-state.store.js';
import { FeedWorld } from '../feeds/feed-world.js';
import { storageContract } from '../../libs/mcp-http/src/storage.testing.js';

const DAY_MS = 86_400_000;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

function newSession(change: Partial<Session> = {}): Session {
  return {
    id: randomUUID(),
    client: 'default',
    key: null,
    protocolVersion: '2025-11-25',
    clientName: 'ide',
    clientVersion: null,
    initialize: { capabilities: { roots: {} }, clientInfo: { name: 'ide' } },
    logLevel: null,
    subscriptions: [],
    eventSeq: 0,
    answered: { after: 0, upTo: 0 },
    openStream: null,
    lastSeenAt: at(0),
    createdAt: change.lastSeenAt ?? at(0),
    ...change,
  };
}

describeEachDatabase('the stores', (open, dialect) => {
  storageContract(async () => {
    const database = await open();
    return {
      sessions: new SessionStore(database),
      changes: new ChangeLogStore(database),
      journal: new StreamJournalStore(database),
    };
  });

  it('keep settings, the last value of each', async () => {
    const store = new SettingsStore(await open());
    await store.save('timeout', 1, at(0));
    await store.save('timeout', 2, at(1));
    await store.save('origins', ['https://ä.example'], at(0));
    expect(await store.list()).toContainEqual({ key: 'timeout', value: 2, updatedAt: at(1).toISOString() });
    await store.delete('timeout');
    expect(await store.list()).toEqual([
      { key: 'origins', value: ['https://ä.example'], updatedAt: at(0).toISOString() },
    ]);
  });

  it('keep the first of two secrets made at once', async () => {
    const store = new SecretStore(await open());
    const added = await Promise.all(['1', '2'].map((value) => store.addIfAbsent('a', value, at(0))));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await store.find('a')).toBe(added[0] ? '1' : '2');
    expect(await store.find('b')).toBeUndefined();
  });

  it('keep facts', async () => {
    const store = new KeyValueStore(await open());
    expect(await store.find('x')).toBeUndefined();
    await store.save('x', '1');
    await store.save('x', '2');
    expect(await store.find('x')).toBe('2');
  });

  it('give a lease to one at a time, until it ends', async () => {
    const store = new KeyValueStore(await open());
    const claims = await Promise.all(['a', 'b'].map((owner) => store.claim('work', owner, at(0), at(5))));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const [owner, other] = claims[0] ? ['a', 'b'] : ['b', 'a'];
    expect(await store.claim('work', other, at(4), at(9))).toBe(false);
    expect(await store.claim('work', owner, at(4), at(9))).toBe(true);
    expect(await store.claim('work', other, at(6), at(11))).toBe(false);
    expect(await store.claim('work', owner, at(7), at(7))).toBe(true); // releases the claim
    expect(await store.claim('work', other, at(10), at(15))).toBe(true);
    await store.save('work', `2025-12-31T23:59:59.999Z ${other}`);
    expect(await store.claim('work', owner, at(0), at(5))).toBe(true);
  });

  it('keep what the administrator decided about skills', async () => {
    const store = new SkillStateStore(await open());
    await store.save('echo', { enabled: false, timeoutMs: 5 }, at(0));
    await store.save('echo', { enabled: true, maxResultBytes: 268_435_456 }, at(1));
    await store.save('echo', {}, at(1));
    await store.save('other', { enabled: false }, at(0));
    await store.save('third', { timeoutMs: 3_600_000 }, at(0));
    await store.save('third', { timeoutMs: null }, at(1));
    expect(Object.fromEntries(await store.list())).toEqual({
      echo: { enabled: true, timeoutMs: 5, maxResultBytes: 268_435_456 },
      other: { enabled: false, timeoutMs: null, maxResultBytes: null },
      third: { enabled: true, timeoutMs: null, maxResultBytes: null },
    });
  });

  it('keep sessions, list them by pages and drop idle ones with their streams', async () => {
    const database = await open();
    const [store, journal] = [new SessionStore(database), new StreamJournalStore(database)];
    const sessions = [1, 2, 3].map((minute) => newSession({ lastSeenAt: at(minute) }));
    for (const session of sessions) await store.create(session);
    const [oldest, , newest] = sessions;
    if (!oldest || !newest) throw new Error('three were made');
    expect(await store.find(newest.id)).toEqual(newest);
    await store.saveLogLevel(newest.id, 'debug');
    await store.saveSubscriptions(newest.id, { added: ['a:1'], removed: [] });
    await store.closeStream(newest.id, 'p/1', 7);
    expect(await store.find(newest.id)).toEqual({
      ...newest,
      logLevel: 'debug',
      subscriptions: ['a:1'],
      eventSeq: 7,
    });
    const [many, long] = [Array.from({ length: 450 }, (_, n) => `a:${n}`), `a:${'x'.repeat(8_000)}`];
    await store.saveSubscriptions(newest.id, { added: [...many, ...many, long], removed: ['a:none'] });
    await store.saveSubscriptions(newest.id, { added: [], removed: many.slice(1) });
    await store.saveSubscriptions('gone', { added: ['a:1'], removed: [] });
    expect((await store.find(newest.id))?.subscriptions.toSorted()).toEqual(['a:0', long]);
    const found = await store.listByIds([oldest.id, 'gone', newest.id]);
    expect(found.map(({ id, subscriptions }) => [id, subscriptions.length]).sort()).toEqual(
      [
        [oldest.id, 0],
        [newest.id, 2],
      ].sort(),
    );
    const first = await store.listPage({ limit: 2 });
    const second = await store.listPage({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(sessions.map(({ id }) => id).reverse());
    await journal.open('stream', { sessionId: oldest.id, requestIds: [1], process: 'p' });
    expect(await store.deleteIdle(at(2))).toBe(1);
    expect(await store.count()).toBe(2);
    expect(await journal.find('stream')).toBeNull();
    expect([await store.delete(newest.id), await store.delete(newest.id)]).toEqual([true, false]);
  });

  it('list sessions without what their programs said of themselves', async () => {
    const store = new SessionStore(await open());
    await store.create(newSession({ initialize: { padding: 'x'.repeat(10_000) } }));
    expect(Object.keys((await store.listPage({ limit: 1 })).items[0] ?? {}).sort()).toEqual(
      ['client', 'clientName', 'clientVersion', 'createdAt', 'id', 'key', 'lastSeenAt', 'protocolVersion'].sort(),
    );
  });

  it('do not restore a session whose program sent megabytes about itself', async () => {
    const store = new SessionStore(await open());
    const [session, huge] = [newSession(), newSession({ initialize: { padding: 'x'.repeat(1_000_000) } })];
    for (const one of [session, huge]) await store.create(one);
    expect(await store.find(session.id)).toEqual(session);
    expect(await store.find(huge.id)).toBeUndefined();
  });

  it('keep the last 10,000 changes, and say when there were more', async () => {
    const log = new ChangeLogStore(await open());
    const changes = (count: number) => Array.from({ length: count }, () => ({ kind: 'tools_list_changed' }) as const);
    const last = await log.append(...changes(10_002));
    const first = last - 10_001;
    const reaches = async (seq: number) => (await log.after(seq))?.length ?? 'not that far';
    for (const prune of [() => Promise.resolve(), () => log.prune()]) {
      await prune();
      expect([await reaches(first), await reaches(first + 1), await reaches(last)]).toEqual([
        'not that far',
        10_000,
        0,
      ]);
    }
    expect((await log.after(first + 1))?.[0]?.seq).toBe(first + 2);
    expect(await log.append(...changes(1))).toBeGreaterThan(last);
  });

  // As after the failover to an asynchronous standby. SQLite loses no numbers.
  (dialect === 'postgres' ? it : it.skip)(
    'number changes on from what clients have, even if the last are lost',
    async () => {
      const database = await open();
      const log = new ChangeLogStore(database);
      const change = { kind: 'resource_updated', uri: 'a:1' } as const;
      const kept = await log.append(change);
      const lost = await log.append(change, change, change);
      await database.deleteFrom('mcp_events').where('seq', '>', kept).execute();
      await sql`select setval(pg_get_serial_sequence('mcp_events', 'seq'), ${kept}::bigint)`.execute(database);
      expect(await log.append(change)).toBeGreaterThan(lost);
      const told = await log.after(lost);
      expect(told?.map(({ event }) => event)).toEqual([
        { kind: 'tools_list_changed' },
        { kind: 'prompts_list_changed' },
        { kind: 'resources_list_changed' },
        { kind: 'task_changed', taskId: null },
        change,
      ]);
    },
  );

  it('number changes so that who has read up to one has missed none, however many come at once', async () => {
    const log = new ChangeLogStore(await open());
    const tools = { kind: 'tools_list_changed' } as const;
    const single = async () => {
      for (let count = 0; count < 20; count += 1) await log.append(tools);
    };
    const read: number[] = [];
    let isOver = false;
    const appending = Promise.all([log.append(...Array<typeof tools>(4_000).fill(tools)), single()]).then(() => {
      isOver = true;
    });
    for (let wasOver = false; !wasOver;) {
      wasOver = isOver;
      read.push(...((await log.after(read.at(-1) ?? 0)) ?? []).map(({ seq }) => seq));
    }
    await appending;
    expect(read).toHaveLength(4_020);
  });

  it('forget a stream some time after its end, however long ago it was opened, and one that never ends', async () => {
    const database = await open();
    const session = newSession();
    await new SessionStore(database).create(session);
    const journal = new StreamJournalStore(database);
    for (const id of ['long', 'lost']) await journal.open(id, { sessionId: session.id, requestIds: [1], process: 'p' });
    const openedAt = new Date(Date.now() - 10 * DAY_MS);
    await database.updateTable('mcp_streams').set({ created_at: openedAt.toISOString() }).execute();
    await journal.finish('long', 14);
    await journal.prune({ finishedMs: DAY_MS, openedMs: 11 * DAY_MS });
    expect(await journal.find('long')).toMatchObject({ finished: true });
    expect(await journal.find('lost')).toMatchObject({ finished: false });
    await journal.prune({ finishedMs: DAY_MS, openedMs: 9 * DAY_MS });
    expect([await journal.find('long'), await journal.find('lost')]).toMatchObject([{ finished: true }, null]);
    await journal.prune({ finishedMs: -1_000, openedMs: DAY_MS });
    expect(await journal.find('long')).toBeNull();
  });

  it('keep the accounts of administrators', async () => {
    const store = new AdministratorStore(await open());
    expect(await store.addIfAbsent('ada', 'viewer', { passwordHash: 'h', stamp: 's1', at: at(1) })).toBe(true);
    expect(await store.addIfAbsent('ada', 'admin', { passwordHash: 'x', stamp: 'x', at: at(2) })).toBe(false);
    const ada = {
      ...{ name: 'ada', role: 'viewer', groups: [], disabled: false },
      ...{ passwordHash: 'h', stamp: 's1', hasPassword: true, hasFixedPassword: false },
    };
    expect(await store.find('ada')).toEqual({ ...ada, createdAt: at(1), passwordChangedAt: at(1), lastLoginAt: null });
    expect(await store.noteLogin('ada', 'other', at(3))).toBe(false);
    expect(await store.noteLogin('ada', 's1', at(3))).toBe(true);
    expect(await store.setPassword('ada', 'other', { passwordHash: 'y', stamp: 'y', at: at(4) })).toBe(false);
    expect(await store.setPassword('ada', 's1', { passwordHash: '', stamp: 's2', at: at(4) })).toBe(true);
    const details = { role: 'editor', groups: ['ops', 'dev'], disabled: true } as const;
    expect(await store.setDetails({ name: 'ada', stamp: 's1' }, details, 's3')).toBe(false);
    expect(await store.setDetails({ name: 'ada', stamp: 's2' }, details, 's3')).toBe(true);
    expect(await store.list()).toEqual([
      {
        ...{ ...ada, ...details, passwordHash: '', stamp: 's3', hasFixedPassword: true },
        ...{ createdAt: at(1), passwordChangedAt: at(4), lastLoginAt: at(3) },
      },
    ]);
    expect(await store.setStamp('ada', 's4')).toBe(true);
    expect([await store.delete('ada'), await store.delete('ada'), await store.find('ada')]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect([
      await store.setDetails({ name: 'ada', stamp: 's4' }, details, 's'),
      await store.setStamp('ada', 's'),
    ]).toEqual([false, false]);
  });

  it('keep providers of single sign-on', async () => {
    const store = new LoginProviderStore(await open());
    const details: ProviderDetails = {
      ...{ title: 'Company', issuer: 'https://login.example.com', clientId: 'x', scopes: ['openid'] },
      ...{
        personClaim: 'sub',
        groupsClaim: 'groups',
        makesAccounts: true,
        defaultRole: 'member' as const,
        enabled: true,
      },
      rules: [{ group: 'IT', role: 'editor', groups: ['ops'] }],
    };
    expect(await store.add('company', details, 'sealed', at(1))).toBe('added');
    expect(await store.add('company', { ...details, title: 'Other' }, null, at(2))).toBe('taken');
    const company = { ...details, name: 'company', hasSecret: true, sealedSecret: 'sealed', createdAt: at(1) };
    expect([await store.find('company'), await store.list()]).toEqual([company, [company]]);
    const changed = { ...details, groupsClaim: null, makesAccounts: false, enabled: false, rules: [] };
    const update = (former: object) => store.update({ ...company, ...former }, changed, null);
    expect([await update({ name: 'other' }), await update({ issuer: 'https://other.example.com' })]).toEqual([
      false,
      false,
    ]);
    expect([await update({}), await update({ sealedSecret: 'sealed' })]).toEqual([true, false]);
    const plain = { ...company, ...changed, hasSecret: false, sealedSecret: null };
    expect(await store.find('company')).toEqual(plain);
    // A change by another process since the read is kept.
    expect(await store.update({ ...plain, title: 'Former' }, { enabled: true }, null)).toBe(true);
    expect(await store.find('company')).toEqual({ ...plain, enabled: true });
    expect([await store.delete('company'), await store.delete('company'), await store.list()]).toEqual([
      true,
      false,
      [],
    ]);
  });

  it('keep one account for each person of a provider, also for who logs in twice at once', async () => {
    const database = await open();
    const store = new AccountIdentityStore(database);
    const accounts = new AdministratorStore(database);
    const ada = { issuer: 'https://login.example.com', subject: '1' };
    const account = { role: 'viewer', groups: ['ops'], at: at(1) } as const;
    await accounts.addIfAbsent('taken', 'admin', { passwordHash: 'h', stamp: 's', at: at(0) });
    expect(await store.addAccount(ada, { ...account, name: 'taken', stamp: 't' }, 500)).toBe('taken');
    expect(await store.findAccount(ada)).toBeUndefined();
    const added = ['ada', 'ada-2', 'ada-3'].map((name) =>
      store.addAccount(ada, { ...account, name, stamp: name }, 500),
    );
    expect(await Promise.all(added)).toEqual(['added', 'added', 'added']);
    const name = (await store.findAccount(ada)) ?? '';
    expect((await accounts.list()).map((one) => one.name)).toEqual([name, 'taken'].sort());
    expect(await accounts.find(name)).toMatchObject({ role: 'viewer', groups: ['ops'], hasPassword: false });
    expect(await store.findAccount({ ...ada, issuer: 'https://other.example.com' })).toBeUndefined();
    await accounts.delete(name);
    expect(await store.findAccount(ada)).toBeUndefined();
  });

  it('link a person to one account, also when two are linked at once', async () => {
    const database = await open();
    const store = new AccountIdentityStore(database);
    const accounts = new AdministratorStore(database);
    const names = ['ada', 'bob'];
    for (const name of names) await accounts.addIfAbsent(name, 'viewer', { passwordHash: 'h', stamp: 's', at: at(0) });
    const person = { issuer: 'https://login.example.com', subject: '1' };
    const linked = await Promise.all(names.map((name) => store.link(person, name, at(1))));
    expect(linked.filter(Boolean)).toHaveLength(1);
    const [owner = '', other = ''] = linked[0] ? names : [...names].reverse();
    expect([await store.findAccount(person), await store.link(person, owner, at(2))]).toEqual([owner, true]);
    const [link, ...others] = await store.list(owner);
    expect([link, others]).toEqual([{ id: expect.any(String) as string, ...person, createdAt: at(1) }, []]);
    expect(await store.list(other)).toEqual([]);
    const id = link?.id ?? '';
    expect([await store.unlink(other, id), await store.unlink(owner, id)]).toEqual([false, true]);
    expect([await store.link(person, other, at(3)), await store.findAccount(person)]).toEqual([true, other]);
  });

  it('keep which logins at a provider were used until they are over', async () => {
    const store = new AccountIdentityStore(await open());
    const uses = Array.from({ length: 5 }, () => store.use('a', at(10), at(1)));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    expect([await store.use('b', at(10), at(2)), await store.use('a', at(10), at(9))]).toEqual([true, false]);
    expect(await store.use('a', at(30), at(11))).toBe(true);
  });

  it('keep the browser sessions of administrators until they expire, or the stamp of their account changes', async () => {
    const database = await open();
    const accounts = new AdministratorStore(database);
    await accounts.addIfAbsent('ada', 'viewer', { passwordHash: 'h', stamp: 's1', at: at(0) });
    const store = new AdminSessionStore(database);
    const session = {
      administrator: 'ada',
      stamp: 's1',
      address: '::1',
      browser: null,
      provider: null,
      createdAt: at(0),
      expiresAt: at(5),
    };
    expect(await store.create({ ...session, idHash: 'a', id: '1' })).toBe(true);
    expect(await store.create({ ...session, idHash: 'b', id: '2', stamp: 'other' })).toBe(false);
    expect(await store.create({ ...session, idHash: 'c', id: '3', administrator: 'nobody' })).toBe(false);
    await store.extend('a', at(10));
    await store.deleteEnded(at(9));
    expect(await store.find(['x', 'a'])).toMatchObject({
      id: '1',
      administrator: 'ada',
      role: 'viewer',
      expiresAt: at(10),
    });
    expect([await store.deleteOne('bob', '1'), await store.deleteOne('ada', '2')]).toEqual([false, false]);
    await store.deleteEnded(at(10));
    expect(await store.find(['a'])).toBeUndefined();
    await store.create({ ...session, idHash: 'd', id: '4' });
    await accounts.setStamp('ada', 's2');
    expect([await store.find(['d']), await store.list('ada', at(1))]).toEqual([undefined, []]);
    await store.create({ ...session, idHash: 'e', id: '5', stamp: 's2' });
    expect([await store.deleteOne('ada', '5'), await store.find(['e'])]).toEqual([true, undefined]);
    await store.create({ ...session, idHash: 'g', id: '7', stamp: 's2', provider: 'company' });
    expect([await store.delete(['x', 'g']), await store.delete(['x', 'g'])]).toEqual(['company', null]);
    await store.create({ ...session, idHash: 'f', id: '6', stamp: 's2' });
    await accounts.delete('ada');
    expect(await store.find(['f'])).toBeUndefined();
  });

  describe('complete a variable depending on the values of the others', () => {
    it('items by their feed', async () => {
      const { store, items, feeds } = await FeedWorld.open(new FeedReader(), await open());
      for (const id of ['a', 'b']) await store.create(newFeed({ id }));
      await items.save([newItem({ feedId: 'a', id: 'x1' }), newItem({ feedId: 'b', id: 'x2' })].map(toSave));
      const resources = new FeedResources(feeds, recordedEvents().events);
      const complete = async (prefix: string, chosen: Record<string, string>) =>
        (await resources.complete({ variable: 'item', prefix, chosen, limit: 9 })).sort();
      expect(await complete('x', {})).toEqual(['x1', 'x2']);
      expect(await complete('x', { feed: '' })).toEqual(['x1', 'x2']);
      expect(await complete('x', { feed: 'b' })).toEqual(['x2']);
      expect(await complete('y', { feed: 'b' })).toEqual([]);
      expect(await complete('', { feed: 'none' })).toEqual([]);
      expect(await resources.complete({ variable: 'feed', prefix: '', chosen: { item: 'x1' }, limit: 9 })).toEqual([
        'a',
        'b',
      ]);
    });

    it('keys by their namespace', async () => {
      const { memory } = memoryOn(await open());
      for (const [namespace, key] of [
        ['a', 'k1'],
        ['a', 'k2'],
        ['b', 'k2'],
      ] as const) {
        await memory.save({ namespace, key, content: `${namespace} ${key}`, client: 'ide' });
      }
      const resources = new MemoryResources(memory, recordedEvents().events);
      const complete = (prefix: string, chosen: Record<string, string>) =>
        resources.complete({ variable: 'key', prefix, chosen, limit: 9 });
      expect(await complete('k', {})).toEqual(['k1', 'k2']);
      expect(await complete('k', { namespace: '' })).toEqual(['k1', 'k2']);
      expect(await complete('k', { namespace: 'b' })).toEqual(['k2']);
      expect(await complete('', { namespace: 'none' })).toEqual([]);
    });
  });
});
