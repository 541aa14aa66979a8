import { Random } from '../../../test/fuzz/random.js';
import { describeReplicas } from '../../../test/support/postgres.js';
import type { Database } from '../../platform/database/database.js';
import { statementsOf } from '../../platform/database/plans.testing.js';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { isWaiting, offeredVersion } from './declared/approval.rules.js';
import type { ApprovalRule, CheckedModule, DeclaredSkill, ModuleSource, SettingValue } from './declared/module.js';
import { MOST_VERSIONS } from './declared/module.js';
import { ModuleStore } from './module.store.js';

const AT = new Date('2026-11-26T10:00:00.000Z');
const NAMES = ['alpha', 'beta', 'gamma'] as const;
const HOSTS = ['a.example', 'b.example'];

/** The expected state of a module in the store. */
interface Known {
  source: ModuleSource;
  versions: Map<number, CheckedModule>;
  newest: number;
  approved: number | null;
  enabled: boolean;
  problem: string | null;
  createdAt: Date;
  state: string | undefined;
  given: { version: number; values: Record<string, SettingValue> };
}

const moduleOf = (name: string, hosts: readonly string[], text: string): CheckedModule => {
  const skill: DeclaredSkill = {
    ...{ name, title: null, description: text, input: null, output: null, annotations: {}, tags: [] },
    uses: { hosts, skills: [], secrets: [], databases: [], state: false },
    settings: [],
  };
  const code = `${text} ${hosts.join()}`;
  const file = `${name}.ts`;
  return {
    name,
    file,
    files: { [file]: code },
    javascript: { [file]: `js ${code}` },
    digest: `sha256:${code}`,
    skills: [skill],
  };
};

/** The version that clients should get, computed independently. */
function expectedOffer({ enabled, versions, newest, approved }: Known, rule: ApprovalRule): number | null {
  if (!enabled) return null;
  if (rule === 'none' || newest === approved) return newest;
  const hosts = (version: number | null) => versions.get(version ?? 0)?.skills[0]?.uses.hosts ?? [];
  const usesNothingNew = hosts(newest).every((host) => hosts(approved).includes(host));
  return rule === 'uses' && usesNothingNew ? newest : approved;
}

describeEachDatabase('skill modules', (open) => {
  it('that were retired long ago are deleted in parts', async () => {
    const database = await open();
    const row = { file: 'a.ts', source: 'folder', version: 1, approved: null, enabled: 1, problem: null };
    const rows = Array.from({ length: 101 }, (_, number) => ({ name: `m${number}`, ...row }));
    const times = { created_at: '', updated_at: '', updated_by: null, removed_at: '' };
    await database
      .insertInto('skill_modules')
      .values(rows.map((one) => ({ ...one, ...times })))
      .execute();
    const deletions = await statementsOf(() => new ModuleStore(database).deleteRemovedBefore(AT));
    expect(deletions.filter(({ sql }) => sql.startsWith('delete from "skill_modules"'))).toHaveLength(3);
    expect(await database.selectFrom('skill_modules').select('name').execute()).toEqual([]);
  });

  it.each([2_147_483_648, -2_147_483_649, 99_999_999_999])('have no version %d', async (version) => {
    const store = new ModuleStore(await open());
    await store.save(moduleOf('alpha', [], 'text'), 'upload', { by: 'ann', at: AT }, 2);
    expect(await store.textOf('alpha', version)).toBeUndefined();
  });

  it.each([1, 2, 3])('hold what a model says after any changes, and after restarts (seed %d)', async (seed) => {
    const database: Database = await open();
    const random = new Random(seed);
    const model = new Map<string, Known>();
    const away = new Map<string, Known>();
    const lastGiven = new Map<string, number>(); // the last version of each module's settings, even of removed modules
    let store = new ModuleStore(database);
    for (let step = 0; step < 120; step += 1) {
      const name = random.pick(NAMES);
      const known = model.get(name);
      const change = { by: 'ann', at: new Date(AT.getTime() + step) };
      switch (
        random.pick([
          'save',
          'save',
          'save',
          'approve',
          'enable',
          'disable',
          'stop',
          'remove',
          'file goes',
          'long after',
          'state',
          'set',
          'set',
          'reset',
          'restart',
        ])
      ) {
        case 'save': {
          const source = random.pick(['folder', 'upload', 'upload'] as const);
          const hosts = HOSTS.filter(() => random.pick([true, false]));
          const checked = moduleOf(name, hosts, `text ${random.integer(0, 3)}`);
          const outcome = await store.save(checked, source, change, 2);
          const before = known ?? (source === 'folder' ? away.get(name) : undefined);
          const isSame = before?.versions.get(before.newest)?.digest === checked.digest;
          if (known && known.source !== source) expect(outcome).toBe('taken');
          else if (!known && model.size >= 2) expect(outcome).toBe('full');
          else if (known && isSame) expect(outcome).toBe('unchanged');
          else {
            expect(outcome).toBe(before ? 'changed' : 'created');
            away.delete(name);
            if (before && isSame) {
              model.set(name, before);
              break;
            }
            const newest = (before?.newest ?? 0) + 1;
            const versions = new Map([...(before?.versions ?? []), [newest, checked] as const]);
            for (const version of versions.keys())
              if (version <= newest - MOST_VERSIONS && version !== before?.approved) versions.delete(version);
            model.set(name, {
              ...(before ?? {
                createdAt: change.at,
                approved: null,
                state: undefined,
                given: { version: 0, values: {} },
              }),
              ...{ source, versions, newest, problem: null },
              enabled: !before || before.enabled || before.problem !== null,
            });
          }
          break;
        }
        case 'approve': {
          const version = random.integer(1, known?.newest ?? 1);
          const digest = random.pick([known?.versions.get(version)?.digest ?? '', 'sha256:other']);
          const isSeen = known?.newest === version && digest === known.versions.get(version)?.digest;
          expect(await store.approve(name, { version, digest }, change)).toBe(isSeen);
          if (isSeen) known.approved = version;
          break;
        }
        case 'enable':
        case 'disable': {
          const enabled = random.pick([true, false]);
          expect(await store.setEnabled(name, enabled, change)).toBe(known !== undefined);
          if (known) Object.assign(known, { enabled, problem: null });
          break;
        }
        case 'stop':
          expect(await store.setEnabled(name, false, change, 'it was stopped')).toBe(known !== undefined);
          if (known) Object.assign(known, { enabled: false, problem: 'it was stopped' });
          break;
        case 'remove':
          expect(await store.remove(name)).toBe(known !== undefined);
          model.delete(name);
          break;
        case 'file goes': {
          const goes = known?.source === 'folder';
          expect(await store.retire(name, change.at)).toBe(goes);
          if (goes) away.set(name, known);
          if (goes) model.delete(name);
          break;
        }
        case 'long after':
          if (random.integer(0, 2) > 0) break;
          expect(await store.deleteRemovedBefore(new Date(change.at.getTime() + 1))).toBe(away.size);
          away.clear();
          break;
        case 'state': {
          const owner = known ?? away.get(name);
          const createdAt = random.pick([owner?.createdAt ?? AT, new Date(0)]);
          const isOwn = owner?.createdAt === createdAt;
          expect(await store.writeState({ name, createdAt }, `sealed ${step}`, change.at)).toBe(isOwn);
          if (isOwn) owner.state = `sealed ${step}`;
          break;
        }
        case 'set':
        case 'reset': {
          const values = random.pick([{}, { limit: random.integer(0, 20) }, { limit: 3, city: 'Oslo', on: true }]);
          const present = known?.given.version ?? 0;
          const basedOn = random.pick([undefined, present, present, present + 1]);
          const outcome = await store.giveSettings(name, values, basedOn, change);
          if (!known) expect(outcome).toBe('missing');
          else if (basedOn !== undefined && basedOn !== present) expect(outcome).toBe('outdated');
          else {
            expect(outcome).toBe('saved');
            known.given = { version: (lastGiven.get(name) ?? 0) + 1, values };
            lastGiven.set(name, known.given.version);
          }
          break;
        }
        case 'restart':
          store = new ModuleStore(database);
      }
      const listed = await store.list();
      expect(listed.map((one) => one.name)).toEqual([...model.keys()].sort());
      for (const one of listed) {
        const { versions, newest, approved, enabled, problem, source, given } = model.get(one.name) as Known;
        expect(one).toMatchObject({ enabled, problem, source, file: `${one.name}.ts` });
        expect(one.given).toEqual(given);
        expect([one.newest.version, one.approved?.version ?? null]).toEqual([newest, approved]);
        expect(one.newest.skills).toEqual(versions.get(newest)?.skills);
        for (const rule of ['uses', 'always', 'none'] as const) {
          const offered = expectedOffer({ ...(model.get(one.name) as Known) }, rule);
          expect(offeredVersion(one, rule)?.version ?? null).toBe(offered);
          expect(isWaiting(one, rule)).toBe(
            expectedOffer({ ...(model.get(one.name) as Known), enabled: true }, rule) !== newest,
          );
        }
      }
      const checked = model.get(name);
      const { createdAt = AT, state } = checked ?? away.get(name) ?? {};
      expect(await store.readState({ name, createdAt })).toBe(state);
      expect(await store.readState({ name, createdAt: new Date(0) })).toBeUndefined();
      expect((await store.listVersions(name)).map(({ version }) => version)).toEqual(
        [...(checked?.versions.keys() ?? [])].reverse(),
      );
      const version = random.integer(1, checked?.newest ?? 1);
      const expected = checked?.versions.get(version);
      const text = await store.textOf(name, version);
      expect(text && { files: text.files, javascript: text.javascript }).toEqual(
        expected && { files: expected.files, javascript: expected.javascript },
      );
    }
  });
});

describeReplicas('two replicas', (databases) => {
  it('save the same new module at once, once', async () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      const checked = moduleOf(name, [], 'same '.repeat(100_000));
      const saves = databases.map((one) => new ModuleStore(one).save(checked, 'folder', { by: null, at: AT }, 10));
      expect((await Promise.all(saves)).sort()).toEqual(['created', 'unchanged']);
    }
  });
});
