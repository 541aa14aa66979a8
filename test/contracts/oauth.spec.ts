import { ArtifactStore, hashOf } from '../../src/access/oauth/artifact.store.js';
import { GrantStore } from '../../src/access/oauth/grant.store.js';
import { ProgramStore } from '../../src/access/oauth/program.store.js';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import type { Page } from '../../src/platform/paging/page-cursor.js';
import { Random } from '../fuzz/random.js';

const SEED = 20_261_126;
const START = Date.parse('2026-11-26T00:00:00Z');
const STEPS = 600;
const PEOPLE = ['ada', 'bob'];

interface Kept {
  person: string;
  program: string;
  host: string;
  endsAt: number;
  madeAt: number;
}

interface Token {
  kind: string;
  grantId: string;
  endsAt: number;
  isConsumed: boolean;
}

/** Counts as used, because nobody has it. */
const NO_CODE: [string, Token] = ['none', { kind: 'AuthorizationCode', grantId: 'gone', endsAt: 0, isConsumed: true }];

const addPeople = (database: Database) =>
  database
    .insertInto('administrators')
    .values(
      PEOPLE.map((name) => ({
        name,
        role: 'member',
        groups: '[]',
        disabled: 0,
        password_hash: 'x',
        stamp: name,
        created_at: '2026-01-01T00:00:00.000Z',
        password_changed_at: '2026-01-01T00:00:00.000Z',
        last_login_at: null,
      })),
    )
    .execute();

async function pagesOf<Item>(listPage: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPage(cursor);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

describeEachDatabase('grants and their tokens', (open) => {
  it(`are what a plain model says, in ${STEPS} random steps (seed ${SEED})`, async () => {
    const database = await open();
    await addPeople(database);
    const [grants, artifacts] = [new GrantStore(database), new ArtifactStore(database)];
    const random = new Random(SEED);
    const [kept, tokens] = [new Map<string, Kept>(), new Map<string, Token>()];
    let now = START;
    let count = 0;
    const inForce = () => [...kept].filter(([, grant]) => grant.endsAt > now);
    const end = (isEnded: (grant: Kept, id: string) => boolean) => {
      const ended = [...kept].filter(([id, grant]) => isEnded(grant, id)).map(([id]) => id);
      for (const id of ended) kept.delete(id);
      return ended.sort();
    };
    const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();
    const steps: Record<string, () => Promise<void>> = {
      allow: async () => {
        const grant = { person: random.pick(PEOPLE), program: random.pick(['p', 'q']), host: random.pick(['h', 'i']) };
        const [id, endsAt] = [`g${(count += 1)}`, now + random.integer(1, 400) * 1000];
        const times = { createdAt: new Date(now), expiresAt: new Date(endsAt) };
        const ended = await grants.add({ ...grant, ...times, id, name: 'n', proven: '', payload: { id } });
        expect(ended).toEqual([]);
        kept.set(id, { ...grant, endsAt, madeAt: now });
      },
      token: async () => {
        const grantId = random.pick([...kept.keys(), 'gone']);
        const kind = random.pick(['AccessToken', 'AuthorizationCode']);
        const [id, endsAt] = [`t${(count += 1)}`, now + random.integer(1, 200) * 1000];
        await artifacts.save({ kind, id, grantId, payload: { id }, expiresAt: new Date(endsAt) }, new Date(now));
        tokens.set(id, { kind, grantId, endsAt, isConsumed: false });
      },
      consume: async () => {
        const id = random.pick([...tokens.keys(), 'none']);
        const token = tokens.get(id);
        await artifacts.consume(token?.kind ?? 'AccessToken', id, new Date(now));
        if (token) token.isConsumed = true;
      },
      exchange: async () => {
        const isCode = ([, { kind }]: [string, Token]) => kind === 'AuthorizationCode';
        const [code, { grantId, isConsumed }] = random.pick([...[...tokens].filter(isCode), NO_CODE]);
        const [kind, id, endsAt] = ['RefreshToken', `r${(count += 1)}`, now + random.integer(1, 200) * 1000];
        const refresh = { kind, id, grantId, payload: { id }, expiresAt: new Date(endsAt) };
        expect(await artifacts.saveForCode(refresh, code, new Date(now))).toBe(!isConsumed);
        expect((await artifacts.find(kind, id, new Date(now))) !== undefined).toBe(!isConsumed);
        if (isConsumed) return;
        tokens.set(code, { ...(tokens.get(code) ?? NO_CODE[1]), isConsumed: true });
        tokens.set(id, { kind, grantId, endsAt, isConsumed: false });
      },
      revoke: async () => {
        const [id, person] = [random.pick([...kept.keys(), 'none']), random.pick([undefined, ...PEOPLE])];
        const isMeant = (grant: Kept, one: string) => one === id && (person === undefined || grant.person === person);
        expect(idsOf(await grants.delete({ id, person }))).toEqual(end(isMeant));
      },
      removeProgram: async () => {
        expect(idsOf(await grants.delete({ program: 'q' }))).toEqual(end(({ program }) => program === 'q'));
      },
      wait: async () => {
        now += random.integer(0, 60) * 1000;
      },
      tidy: async () => {
        const madeBefore = now - random.integer(0, 300) * 1000;
        await grants.deleteEnded(new Date(now), new Date(madeBefore));
        await artifacts.deleteEnded(new Date(now));
        const isUsable = (id: string) =>
          [...tokens.values()].some((token) => token.grantId === id && token.endsAt > now);
        end(({ endsAt, madeAt }, id) => endsAt <= now || (madeAt < madeBefore && !isUsable(id)));
        for (const [id, { grantId, endsAt }] of tokens) if (endsAt <= now || !kept.has(grantId)) tokens.delete(id);
      },
    };
    for (let step = 0; step < STEPS; step += 1) {
      await (steps[random.pick([...Object.keys(steps), 'token', 'token', 'allow'])] ?? steps['wait'])?.();
      const person = random.pick([undefined, ...PEOPLE]);
      const expected = inForce().filter(([, grant]) => person === undefined || grant.person === person);
      expect(idsOf(await grants.list({ person }, new Date(now)))).toEqual(expected.map(([id]) => id).sort());
      const [q, limit] = [random.pick([undefined, 'H', person ?? 'x']), random.integer(1, 5)];
      const listed = await pagesOf((cursor) => grants.listPage({ person, q, limit, cursor }, new Date(now)));
      const isFound = ([, one]: [string, Kept]) => q !== 'H' || one.host === 'h' || one.person.includes('h');
      const latestFirst = expected
        .filter((one) => q !== 'x' && isFound(one))
        .sort(([a, one], [b, other]) => other.madeAt - one.madeAt || (a < b ? -1 : 1));
      expect(listed.map(({ id }) => id)).toEqual(latestFirst.map(([id]) => id));
      const id = random.pick([...tokens.keys(), 'none']);
      const token = tokens.get(id);
      const isThere = token !== undefined && token.endsAt > now;
      const found = await artifacts.find(token?.kind ?? 'AccessToken', id, new Date(now));
      expect(found && { ...found, consumedAt: found.consumedAt !== null }).toEqual(
        isThere ? { payload: { id }, consumedAt: token.isConsumed } : undefined,
      );
      const grant = token && inForce().find(([one]) => one === token.grantId)?.[1];
      const shown = await artifacts.findToken(hashOf(id), new Date(now));
      expect(shown?.person).toBe(isThere && token.kind === 'AccessToken' ? grant?.person : undefined);
    }
  });

  it('go with the account', async () => {
    const database = await open();
    await addPeople(database);
    const grants = new GrantStore(database);
    const at = new Date(START);
    const grant = { id: 'g', program: 'p', name: 'n', host: 'h', proven: '', payload: {}, createdAt: at };
    await grants.add({ ...grant, person: 'ada', expiresAt: new Date(START + 1000) });
    await database.deleteFrom('administrators').where('name', '=', 'ada').execute();
    expect(await grants.payloadOf('g', at)).toBeUndefined();
  });

  it('are a hundred of a person at most: the one that was used longest ago ends', async () => {
    const database = await open();
    await addPeople(database);
    const grants = new GrantStore(database);
    const add = (number: number) => {
      const at = { createdAt: new Date(START + number), expiresAt: new Date(START + 1_000_000) };
      return grants.add({
        ...at,
        id: `g${number}`,
        person: 'ada',
        program: `p${number}`,
        name: '',
        host: '',
        proven: '',
        payload: {},
      });
    };
    for (let number = 0; number < 100; number += 1) expect(await add(number)).toEqual([]);
    await grants.noteUse('g0', new Date(START + 1_000));
    expect((await add(100)).map(({ id }) => id)).toEqual(['g1']);
    expect(await grants.list({ person: 'ada' }, new Date(START))).toHaveLength(100);
  });

  it.each([
    ['have 200 access tokens at most: the oldest go', 'AccessToken', 200],
    ['keep all refresh tokens that have not expired', 'RefreshToken', 205],
  ])('%s', async (_title, kind, kept) => {
    const database = await open();
    const artifacts = new ArtifactStore(database);
    const save = (number: number) => {
      const artifact = {
        kind,
        id: `t${number}`,
        grantId: 'g',
        payload: {},
        expiresAt: new Date(START + 1_000_000),
      };
      return artifacts.save(artifact, new Date(START + number));
    };
    for (let number = 0; number < 205; number += 1) await save(number);
    const isThere = async (number: number) => (await artifacts.find(kind, `t${number}`, new Date(START))) !== undefined;
    const oldest = 205 - kept;
    expect(await Promise.all([oldest - 1, oldest, 204].map(isThere))).toEqual([false, true, true]);
    const count = (at: number) => artifacts.countRefreshTokens('g', new Date(at));
    expect(await Promise.all([count(START), count(START + 1_000_000)])).toEqual([kind === 'RefreshToken' ? 205 : 0, 0]);
  });
});

describeEachDatabase('programs', (open) => {
  const programOf = (number: number, isListed = false) => {
    return { id: `p${number}`, metadata: { client_name: `P${number}` }, isListed, createdAt: new Date(START + number) };
  };

  it('are a thousand at most: the oldest that nobody uses goes, and no other', async () => {
    const programs = new ProgramStore(await open());
    expect(await programs.add(programOf(0, true))).toBe('added');
    for (let number = 1; number < 1_000; number += 1) await programs.add(programOf(number));
    await programs.noteUse('p1', new Date(START));
    expect(await programs.add(programOf(1_000))).toBe('added');
    const left = async (id: string) => (await programs.find(id)) !== undefined;
    expect(await Promise.all(['p0', 'p1', 'p2', 'p3'].map(left))).toEqual([true, true, false, true]);
    expect(await programs.add(programOf(1_000))).toBe('taken');
    const { items } = await programs.listPage({ limit: 2_000 });
    for (const { id } of items) await programs.noteUse(id, new Date(START));
    expect(await programs.add(programOf(2_000))).toBe('full');
  });

  it('are listed page by page, also those that a search finds', async () => {
    const programs = new ProgramStore(await open());
    for (let number = 0; number < 130; number += 1) {
      const redirect_uris = [`https://r${number}.example/`];
      const metadata = { client_name: `Robot ${number % 2 === 0 ? 'Even' : 'Odd'}`, redirect_uris };
      await programs.add({ ...programOf(number), metadata, createdAt: new Date(START + (number >> 2)) });
    }
    const found = async (q?: string, limit = 7) =>
      (await pagesOf((cursor) => programs.listPage({ q, limit, cursor }))).map(({ id }) => id);
    const all = (await programs.listPage({ limit: 200 })).items.map(({ id }) => id);
    expect([all.length, new Set(all).size, all.slice(0, 2)]).toEqual([130, 130, ['p128', 'p129']]);
    expect(await found()).toEqual(all);
    expect(await found('EVEN')).toEqual(all.filter((id) => Number(id.slice(1)) % 2 === 0));
    expect(await Promise.all([found('R7.'), found('p111', 1), found('redirect')])).toEqual([['p7'], ['p111'], []]);
  });

  it('are not found by a text that databases cannot store', async () => {
    const programs = new ProgramStore(await open());
    expect(await Promise.all(['\0', 'p1\0', '\ud800'].map((id) => programs.find(id)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('that nobody has allowed are forgotten after a time; those that were entered are not', async () => {
    const programs = new ProgramStore(await open());
    for (const [number, isListed] of [
      [1, false],
      [2, true],
      [3, false],
      [4, false],
    ] as const)
      await programs.add(programOf(number, isListed));
    await programs.noteUse('p3', new Date(START));
    await programs.deleteUnused(new Date(START + 4));
    expect((await programs.listPage({ limit: 9 })).items.map(({ id }) => id)).toEqual(['p4', 'p3', 'p2']);
    expect([await programs.delete('p2'), await programs.delete('p2')]).toEqual([true, false]);
  });
});
