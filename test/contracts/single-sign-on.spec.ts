import { EventEmitter2 } from '@nestjs/event-emitter';
import { sql } from 'kysely';
import { AdministratorStore } from '../../src/access/accounts/administrator.store.js';
import { AccountIdentityStore, type Identity } from '../../src/access/single-sign-on/account-identity.store.js';
import { LoginProviderStore } from '../../src/access/single-sign-on/login-provider.store.js';
import { LoginProviders } from '../../src/access/single-sign-on/login-providers.service.js';
import type { Database } from '../../src/platform/database/database.js';
import { ReplicaChannel } from '../../src/platform/database/replica-channel.service.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { parseEnvironment } from '../../src/platform/environment/environment.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { EventBus } from '../../src/platform/events/event-bus.service.js';
import { SealingKeys } from '../../src/platform/secrets/sealing-keys.service.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { SecretStore } from '../../src/platform/secrets/secret.store.js';
import { Random } from '../fuzz/random.js';

const SEED = 20_261_128;
const START = Date.parse('2026-11-28T00:00:00Z');
const STEPS = 500;
const PROVIDERS = ['branch', 'company'];
const ISSUERS = ['https://one.example.com', 'https://two.example.com'];
const ACCOUNTS = ['ada', 'bob', 'eve'];
const PEOPLE: Identity[] = ISSUERS.flatMap((issuer) => ['1', '2'].map((subject) => ({ issuer, subject })));

interface KeptProvider {
  issuer: string;
  title: string;
  enabled: boolean;
  secret: string | null;
}

const keyOf = ({ issuer, subject }: Identity) => `${issuer} ${subject}`;

/** The state of one process; another process starts from what is stored. */
const openProcess = (database: Database) => ({
  providers: new LoginProviders(
    new LoginProviderStore(database),
    SealingKeys.inTable(new SecretsService(new SecretStore(database))),
    new EventBus(new EventEmitter2()),
    new ReplicaChannel(parseEnvironment({}), database),
  ),
  identities: new AccountIdentityStore(database),
  accounts: new AdministratorStore(database),
});

/** Returns 'done', or the error code of a rejection. */
const done = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );

describeEachDatabase('providers of single sign-on, identities and used logins', (open) => {
  it('note claims only with the groups that they give, and follow none that are older', async () => {
    const database = await open();
    const { identities, accounts } = openProcess(database);
    const [ada, at] = [
      { issuer: 'https://one.example.com', subject: '1' },
      (second: number) => new Date(1_000 * second),
    ];
    await identities.addAccount(ada, { name: 'ada', role: 'member', groups: ['dev'], stamp: 's', at: at(0) }, 500);
    const groups = async () => (await accounts.find('ada'))?.groups;
    expect([await identities.followGroups(ada, ['dev'], at(1)), await groups()]).toEqual([false, ['dev']]);
    expect([await identities.followGroups(ada, ['ops'], at(1)), await groups()]).toEqual([false, ['dev']]);
    await sql`alter table administrators rename to away`.execute(database);
    await expect(identities.followGroups(ada, [], at(2))).rejects.toThrow();
    await sql`alter table away rename to administrators`.execute(database);
    expect(await groups()).toEqual(['dev']);
    expect([await identities.followGroups(ada, [], at(2)), await groups()]).toEqual([true, []]);
  });

  it('keep what two replicas change of a provider at once', async () => {
    const database = await open();
    const [{ providers }, { providers: others }] = [openProcess(database), openProcess(database)];
    await providers.create('company', { title: 'T', issuer: 'https://one.example.com', clientId: 'x', secret: 's' });
    await Promise.all([
      providers.update('company', { enabled: false }),
      others.update('company', { title: 'New' }),
      providers.update('company', { issuer: 'https://two.example.com', secret: 'of two' }),
      others.update('company', { rules: [{ group: 'IT', role: null, groups: ['ops'] }] }),
    ]);
    const changed = { enabled: false, title: 'New', issuer: 'https://two.example.com' };
    expect(await providers.get('company')).toMatchObject({ ...changed, rules: [{ group: 'IT', groups: ['ops'] }] });
  });

  it(`are what a plain model says, in ${STEPS} random steps (seed ${SEED})`, async () => {
    const database = await open();
    let { providers, identities, accounts } = openProcess(database);
    const random = new Random(SEED);
    const [kept, known] = [new Map<string, KeptProvider>(), new Set<string>()];
    const links = new Map<string, { account: string; at: number; claimsAt: number }>();
    const uses = new Map<string, number>();
    let now = START;
    let count = 0;
    const password = () => ({ passwordHash: 'h', stamp: 's', at: new Date(now) });
    const details = () => {
      const [title, issuer] = [`T${(count += 1)}`, random.pick(ISSUERS)];
      return { title, issuer, enabled: random.chance(0.7), secret: random.pick([null, `secret ${count}`]) };
    };
    const steps: Record<string, () => Promise<void>> = {
      createProvider: async () => {
        const [name, provider] = [random.pick(PROVIDERS), details()];
        const expected = kept.has(name) ? 'sso.provider_exists' : 'done';
        expect(await done(providers.create(name, { ...provider, clientId: 'x' }, new Date(now)))).toBe(expected);
        if (expected === 'done') kept.set(name, provider);
      },
      updateProvider: async () => {
        const [name, all] = [random.pick(PROVIDERS), details()];
        const change: Partial<KeptProvider> = random.pick([
          { title: all.title },
          { enabled: all.enabled },
          { issuer: all.issuer },
          { issuer: all.issuer, secret: all.secret },
        ]);
        const former = kept.get(name);
        const isOfAnother = former?.secret != null && (change.issuer ?? former.issuer) !== former.issuer;
        const expected = !former
          ? 'sso.provider_not_found'
          : isOfAnother && !('secret' in change)
            ? 'sso.provider_refused'
            : 'done';
        expect(await done(providers.update(name, change))).toBe(expected);
        if (former && expected === 'done') kept.set(name, { ...former, ...change });
      },
      removeProvider: async () => {
        const name = random.pick(PROVIDERS);
        expect(await done(providers.remove(name))).toBe(kept.delete(name) ? 'done' : 'sso.provider_not_found');
      },
      addAccount: async () => {
        const name = random.pick(ACCOUNTS);
        expect(await accounts.addIfAbsent(name, 'viewer', password())).toBe(!known.has(name));
        known.add(name);
      },
      logInFirst: async () => {
        const [person, name] = [random.pick(PEOPLE), random.pick(ACCOUNTS)];
        const account = { name, role: 'member', groups: [], stamp: 's', at: new Date(now) } as const;
        expect(await identities.addAccount(person, account, 500)).toBe(known.has(name) ? 'taken' : 'added');
        if (known.has(name) || links.has(keyOf(person))) return;
        known.add(name);
        links.set(keyOf(person), { account: name, at: now, claimsAt: -1 });
      },
      link: async () => {
        if (known.size === 0) return;
        const [person, account] = [random.pick(PEOPLE), random.pick([...known])];
        const owner = links.get(keyOf(person))?.account ?? account;
        expect(await identities.link(person, account, new Date(now))).toBe(owner === account);
        if (!links.has(keyOf(person))) links.set(keyOf(person), { account, at: now, claimsAt: -1 });
      },
      noteClaims: async () => {
        const [person, at] = [random.pick(PEOPLE), START + random.integer(0, 1_000)];
        const link = links.get(keyOf(person));
        expect(await identities.noteClaims(person, new Date(at))).toBe(link !== undefined && link.claimsAt < at);
        if (link) link.claimsAt = Math.max(link.claimsAt, at);
      },
      unlink: async () => {
        const [one, other] = [random.pick(ACCOUNTS), random.pick(ACCOUNTS)];
        const link = (await identities.list(one))[0];
        const isTheirs = link !== undefined && one === other;
        expect(await identities.unlink(other, link?.id ?? 'none')).toBe(isTheirs);
        if (isTheirs) links.delete(keyOf(link));
      },
      removeAccount: async () => {
        const name = random.pick(ACCOUNTS);
        expect(await accounts.delete(name)).toBe(known.delete(name));
        for (const [key, { account }] of links) if (account === name) links.delete(key);
      },
      use: async () => {
        const state = `s${random.integer(0, 12)}`;
        // Often exactly at the moment of expiry.
        if (random.chance(0.3)) now = Math.max(now, uses.get(state) ?? now);
        const isNew = (uses.get(state) ?? 0) <= now;
        const until = now + random.integer(1, 60) * 1_000;
        expect(await identities.use(state, new Date(until), new Date(now))).toBe(isNew);
        if (isNew) uses.set(state, until);
      },
      wait: async () => {
        now += random.integer(0, 20) * 1_000;
      },
      restart: async () => {
        ({ providers, identities, accounts } = openProcess(database));
      },
    };
    const names = [...Object.keys(steps), 'link', 'link', 'addAccount', 'use', 'createProvider'];
    const results = { links: 0, secrets: 0 };
    for (let step = 0; step < STEPS; step += 1) {
      await (steps[random.pick(names)] ?? steps['wait'])?.();
      now += 1;
      const [name, person, account] = [random.pick(PROVIDERS), random.pick(PEOPLE), random.pick(ACCOUNTS)];
      expect((await providers.list()).map((one) => one.name)).toEqual([...kept.keys()].sort());
      const provider = kept.get(name);
      const found = await providers.enabled(name).catch(() => undefined);
      expect(found?.title).toBe(provider?.enabled ? provider.title : undefined);
      expect((await providers.enabledAt(ISSUERS[0] ?? ''))?.name).toBe(
        [...kept].sort().find(([, { issuer, enabled }]) => enabled && issuer === ISSUERS[0])?.[0],
      );
      if (found) expect([found.issuer, await providers.secretOf(found)]).toEqual([provider?.issuer, provider?.secret]);
      expect(await identities.findAccount(person)).toBe(links.get(keyOf(person))?.account);
      const expected = [...links].filter(([, link]) => link.account === account).sort(([, a], [, b]) => a.at - b.at);
      const listed = await identities.list(account);
      expect(listed.map((one) => [keyOf(one), one.createdAt.getTime()])).toEqual(
        expected.map(([key, { at }]) => [key, at]),
      );
      results.links += listed.length;
      results.secrets += found?.hasSecret ? 1 : 0;
    }
    // The random walk has covered the risky cases.
    expect(results.links).toBeGreaterThan(50);
    expect(results.secrets).toBeGreaterThan(50);
  });
});
