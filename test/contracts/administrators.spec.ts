import { jest } from '@jest/globals';
import { AccountDisabled } from '../../src/access/accounts/accounts.errors.js';
import { type AccountDetails, ADMIN_ROLES } from '../../src/access/accounts/administrator.js';
import { basic, openAccounts } from '../../src/access/accounts/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { AccountModel } from '../administration/account-model.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';

const NAMES = ['admin', 'ada', 'bob', 'eve'];
/** Few, because most of them hash one or more passwords. */
const OPERATIONS = 50;
const ORIGIN = { address: '192.0.2.1', browser: null };

/** A disabled account is rejected with an error of its own when the password is right. */
const nobodyIfDisabled = (error: unknown): null => {
  if (error instanceof AccountDisabled) return null;
  throw error;
};

type Process = Awaited<ReturnType<typeof openAccounts>>;

/** Two processes on one database; either executes the next operation, and either may restart at any time. */
async function compare(database: Database, random: Random): Promise<void> {
  const open = () => openAccounts(database, undefined);
  const processes = [await open(), await open()];
  const generated = processes.flatMap(({ password }) => password.generated ?? []);
  const model = new AccountModel(generated[0] ?? '');
  const passwords = [...generated];
  const tokens: string[] = [];
  // Each login has a new sender, so that none is rate-limited.
  let senders = 0;
  const sender = () => ({ lane: 'unknown' as const, bucket: `sender ${(senders += 1)}`, address: '192.0.2.1' });
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random.integer(0, items.length)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  };
  const any = (): Process => pick(processes);
  /** Resolves to true on success, and to false on expected errors; rethrows others. */
  const succeeds = (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError) return false;
        throw error;
      },
    );
  const newPassword = () => {
    const password = `password number ${passwords.length}`;
    passwords.push(password);
    return password;
  };

  /** Mostly the right one, otherwise any password that ever existed. */
  const passwordFor = (name: string) => (random.integer(0, 3) > 0 && model.passwordOf(name)) || pick(passwords);

  const operations: Record<string, () => Promise<void>> = {
    async create() {
      const [name, role, password] = [pick(NAMES), pick(ADMIN_ROLES), newPassword()];
      const isAdded = await succeeds(any().administrators.create(name, role, password));
      expect(isAdded).toBe(model.create(name, role, password));
    },
    async remove() {
      const name = pick(NAMES);
      const isRemoved = await succeeds(any().administrators.remove(name));
      expect(isRemoved).toBe(name !== 'admin' && model.remove(name));
    },
    async update() {
      const change: Partial<AccountDetails> = pick([
        { role: pick(ADMIN_ROLES) },
        { groups: ['ops', 'dev', 'robots'].filter(() => random.integer(0, 2) > 0) },
        { disabled: random.integer(0, 2) > 0 },
        { groups: ['ops'], disabled: false },
        {},
      ]);
      const name = pick(NAMES);
      const isSet = await succeeds(any().administrators.update(name, change));
      expect([name, change, isSet]).toEqual([name, change, model.update(name, change)]);
    },
    async setPassword() {
      const [name, password, { administrators }] = [pick(NAMES), newPassword(), any()];
      const account = await administrators.find(name);
      const isSet = account !== undefined && (await succeeds(administrators.setPassword(account, password)));
      expect(isSet).toBe(model.setPassword(name, password));
    },
    async endSessions() {
      const name = pick(NAMES);
      expect(await succeeds(any().administrators.endSessions(name))).toBe(model.endSessions(name));
    },
    async endOne() {
      const [name, { administrators }] = [pick(NAMES), any()];
      const [session] = model.names.includes(name) ? await administrators.listSessions(name) : [];
      if (session) {
        expect(await succeeds(administrators.endSession('nobody', session.id))).toBe(false);
        expect(await succeeds(administrators.endSession(name, session.id))).toBe(true);
        // The model does not know session ids: it is the token whose session has disappeared.
        const gone = await Promise.all(
          tokens.map(async (token) =>
            model.use(token)?.user === name && (await any().sessions.use(token, new Date())) === null ? token : [],
          ),
        );
        expect(gone.flat()).toHaveLength(1);
        for (const token of gone.flat()) model.close(token);
      }
    },
    async logIn() {
      const [name, { credentials, sessions }] = [pick(NAMES), any()];
      const password = passwordFor(name);
      const account = await credentials.check(name, password, sender()).catch(nobodyIfDisabled);
      expect(account?.role ?? null).toBe(model.check(name, password));
      const opened = account && (await sessions.open(account, ORIGIN, new Date()));
      if (!opened) return;
      tokens.push(opened.token);
      model.open(name, opened.token);
    },
    async logOut() {
      if (tokens.length === 0) return;
      const token = pick(tokens);
      await any().sessions.close(token);
      model.close(token);
    },
    async restart() {
      processes[random.integer(0, 2)] = await open();
    },
  };
  // When an account changes in one process, the others must drop their cached header.
  const checkHeaders = async () => {
    const name = pick(NAMES);
    const password = passwordFor(name);
    const account = await any().credentials.checkBasic(basic(name, password), sender()).catch(nobodyIfDisabled);
    expect([name, password, account?.role ?? null]).toEqual([name, password, model.check(name, password)]);
  };
  const checkAll = async () => {
    const { administrators, sessions } = any();
    expect((await administrators.list()).map(({ name }) => name)).toEqual(model.names);
    for (const { name, role, groups, disabled } of await administrators.list())
      expect([name, { role, groups, disabled }]).toEqual([name, model.detailsOf(name)]);
    for (const token of tokens) {
      const session = await sessions.use(token, new Date());
      expect(session && { user: session.user, role: session.role }).toEqual(model.use(token));
    }
    for (const name of model.names) {
      expect(await administrators.listSessions(name)).toHaveLength(model.sessionsOf(name));
    }
  };

  for (let count = 0; count < OPERATIONS; count += 1) {
    const weighted = [...Object.keys(operations), 'logIn', 'logIn', 'logIn', 'create', 'create'];
    await operations[pick(weighted)]?.();
    if (count % 3 === 0) await checkHeaders();
    await checkAll();
  }
  expect(tokens.length).toBeGreaterThan(3);
}

describeEachDatabase('accounts and sessions of administrators', (open) => {
  it('are what a plain model says after any operations of two processes', async () => {
    const seed = seedFrom('ACCOUNTS_SEED');
    try {
      await compare(await open(), new Random(seed));
    } catch (error) {
      throw new Error(`with the seed ${seed}`, { cause: error });
    }
  }, 600_000);

  it('are 500 at most', async () => {
    const { administrators, store } = await openAccounts(await open(), 'the built-in password');
    const credentials = { passwordHash: 'none', stamp: 'none', at: new Date() };
    const missing = 500 - (await administrators.list()).length;
    for (let n = 1; n < missing; n += 1) await store.addIfAbsent(`a${n}`, 'viewer', credentials);
    await administrators.create('last', 'viewer', 'a long password');
    await expect(administrators.create('more', 'viewer', 'a long password')).rejects.toThrow('500');
    expect(await administrators.list()).toHaveLength(500);
  });

  it('keep the groups that they get while another change of theirs is under way', async () => {
    const database = await open();
    const [one, other] = [await openAccounts(database, undefined), await openAccounts(database, undefined)];
    await one.administrators.create('ada', 'viewer', 'the first password');
    const before = await one.administrators.get('ada');
    await other.administrators.update('ada', { groups: ['ops'] });
    jest.spyOn(one.administrators, 'get').mockResolvedValueOnce(before);
    await one.administrators.update('ada', { role: 'editor' });
    expect(await one.administrators.get('ada')).toMatchObject({ role: 'editor', groups: ['ops'] });
  });

  it('keep one of the changes that are made at the same time, and end what the other allowed', async () => {
    const database = await open();
    const [one, other] = [await openAccounts(database, undefined), await openAccounts(database, undefined)];
    await one.administrators.create('ada', 'viewer', 'the first password');
    const account = await one.administrators.get('ada');
    const changes = await Promise.allSettled([
      one.administrators.setPassword(account, 'the second password'),
      other.administrators.setPassword(account, 'the third password!'),
    ]);
    expect(changes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const sender = { lane: 'known' as const, bucket: 'b', address: '' };
    const passwords = ['the first password', 'the second password', 'the third password!'];
    const allowed = await Promise.all(passwords.map((password) => one.credentials.check('ada', password, sender)));
    expect(allowed.filter((entered) => entered !== null)).toHaveLength(1);
    expect(allowed[0]).toBeNull();
  });
});
