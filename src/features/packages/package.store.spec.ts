import { Random } from '../../../test/fuzz/random.js';
import { describeReplicas } from '../../../test/support/postgres.js';
import { statementsOf } from '../../platform/database/plans.testing.js';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { digestOf } from './files/package-check.rules.js';
import type { CheckedPackage } from './files/package.js';
import { PackageStore } from './package.store.js';
import { PackageNotFound } from './packages.errors.js';
import { packageOf, packagesOn, skillText } from './testing.js';

const AT = new Date('2026-11-26T10:00:00.000Z');
const NAMES = ['alpha', 'beta', 'gamma'] as const;

/** The expected state of a package in the store. */
interface Known {
  version: number;
  enabled: boolean;
  source: 'folder' | 'upload';
  isRemoved: boolean;
  versions: Map<number, CheckedPackage>;
}

describeEachDatabase('skill packages', (open) => {
  it('hold what a model says after any changes, also for a replica and after restarts', async () => {
    for (const seed of [1, 2, 3]) {
      const database = await open();
      const random = new Random(seed);
      const model = new Map<string, Known>();
      let { packages, namesFor } = await packagesOn(database);
      const replica = (await packagesOn(database)).packages;
      for (let step = 0; step < 60; step += 1) {
        const name = random.pick(NAMES);
        const known = model.get(name);
        const there = known && !known.isRemoved ? known : undefined;
        const at = new Date(AT.getTime() + step);
        const done = (change: Promise<unknown>) =>
          change.then(
            () => true,
            () => false,
          );
        switch (
          random.pick([
            'folder',
            'upload',
            'upload',
            'remove',
            'gone',
            'restore',
            'disable',
            'enable',
            'back',
            'restart',
          ])
        ) {
          case 'folder':
          case 'upload': {
            const source = random.pick(['folder', 'upload'] as const);
            const checked = packageOf(name, { 'a.txt': `${random.integer(0, 4)}` });
            const isTaken = there !== undefined && there.source !== source;
            // Packages from folders are not based on a version.
            const basedOn = source === 'folder' ? undefined : random.pick([undefined, 0, there?.version ?? 0, 3]);
            const isRefused = isTaken || (basedOn !== undefined && basedOn !== (there?.version ?? 0));
            const saved =
              source === 'folder'
                ? (await packages.saveFromFolder(checked, at)) === null
                : await done(packages.saveUpload(checked, 'ann', { basedOn, at }));
            expect(saved).toBe(!isRefused);
            if (isRefused) break;
            const isSame = known?.versions.get(known.version)?.digest === checked.digest;
            const version = !known ? 1 : isSame ? known.version : Math.max(...known.versions.keys()) + 1;
            const versions = new Map(known?.versions).set(version, checked);
            const isKept = there !== undefined || source === 'folder';
            const enabled = isKept ? (known?.enabled ?? true) : true;
            model.set(name, { version, enabled, source, isRemoved: false, versions });
            break;
          }
          case 'remove':
            expect(await done(packages.remove(name, 'ann', at))).toBe(there !== undefined);
            if (there) there.isRemoved = true;
            break;
          case 'gone':
            expect(await packages.removeFromFolder(name, at)).toBe(there?.source === 'folder');
            if (there?.source === 'folder') there.isRemoved = true;
            break;
          case 'restore':
            expect(await done(packages.restore(name, 'ann', at))).toBe(known?.isRemoved === true);
            if (known?.isRemoved) Object.assign(known, { isRemoved: false, source: 'upload' });
            break;
          case 'disable':
          case 'enable': {
            const enabled = random.integer(0, 2) === 0;
            expect(await done(packages.setEnabled(name, enabled, 'ann', at))).toBe(there !== undefined);
            if (there) there.enabled = enabled;
            break;
          }
          case 'back': {
            const version = 1 + random.integer(0, 3);
            const isThere = there?.source === 'upload' && there.versions.has(version);
            expect(await done(packages.setCurrent(name, version, 'ann', at))).toBe(isThere);
            if (isThere) there.version = version;
            break;
          }
          default:
            ({ packages, namesFor } = await packagesOn(database));
        }
        for (const [title, known] of model) {
          const found = packages.find(title);
          if (known.isRemoved) {
            expect(found).toBeUndefined();
            continue;
          }
          const { version, enabled, source } = known;
          const expected = known.versions.get(version);
          expect(found).toMatchObject({ name: title, version, enabled, source, digest: expected?.digest });
          expect(found?.files.map(({ digest }) => digest)).toEqual(expected?.files.map(({ digest }) => digest));
          for (const { path, bytes } of expected?.files ?? [])
            expect(Buffer.from((await packages.readFile({ name: title, version }, path)) ?? [])).toEqual(
              Buffer.from(bytes),
            );
        }
        const there2 = [...model].filter(([, one]) => !one.isRemoved).map(([one]) => one);
        expect(packages.list().map((one) => one.name)).toEqual(there2.sort());
        const enabled = there2.filter((one) => model.get(one)?.enabled);
        expect((await namesFor('do', 10)).sort()).toEqual(enabled);
        expect((await packages.listRemoved()).map((one) => one.name).sort()).toEqual(
          [...model]
            .filter(([, one]) => one.isRemoved)
            .map(([one]) => one)
            .sort(),
        );
      }
      await replica.onModuleInit();
      expect(replica.list()).toEqual(packages.list());
    }
  });

  it('keeps the last versions, and always the current one', async () => {
    const { packages, lists } = await packagesOn(await open());
    for (let at = 1; at <= 30; at += 1) await packages.saveUpload(packageOf('alpha', { a: `${at}` }), 'ann');
    const versions = await lists.listVersions('alpha');
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, at) => 30 - at));
    expect(versions[0]).toMatchObject({ source: 'upload', savedBy: 'ann', files: 2 });
    await packages.setCurrent('alpha', 10, 'ann');
    for (let at = 31; at <= 60; at += 1) await packages.saveUpload(packageOf('alpha', { a: `${at}` }), 'ann');
    expect(await packages.readFile({ name: 'alpha', version: 10 }, 'a')).toBeUndefined();
    expect(packages.get('alpha').version).toBe(60);
  });

  it('continues with new numbers after an earlier version became current', async () => {
    const { packages } = await packagesOn(await open());
    for (const a of ['1', '2', '3']) await packages.saveUpload(packageOf('alpha', { a }), 'ann');
    await packages.setCurrent('alpha', 1, 'ben');
    expect(packages.get('alpha')).toMatchObject({ version: 1, updatedBy: 'ben' });
    await packages.saveUpload(packageOf('alpha', { a: '4' }), 'ann');
    expect(packages.get('alpha').version).toBe(4);
    await expect(packages.setCurrent('alpha', 9, 'ann')).rejects.toThrow('has no version 9');
  });

  it.each([
    ['enables a removed package that is uploaded again', true],
    ['leaves a removed package as it was that is in a folder again', false],
  ])('%s', async (_title, isUpload) => {
    const { packages } = await packagesOn(await open());
    const save = (checked: CheckedPackage) =>
      isUpload ? packages.saveUpload(checked, 'ann') : packages.saveFromFolder(checked);
    await save(packageOf('alpha'));
    await packages.setEnabled('alpha', false, 'ann');
    await save(packageOf('alpha', { a: 'changed' }));
    expect(packages.get('alpha').enabled).toBe(false);
    await packages.remove('alpha', 'ann');
    await save(packageOf('alpha'));
    expect(packages.get('alpha').enabled).toBe(isUpload);
  });

  it('finds files of all versions that are kept, by their digests', async () => {
    const { packages } = await packagesOn(await open());
    await packages.saveUpload(packageOf('alpha', { a: 'old', b: 'same' }), 'ann');
    await packages.saveUpload(packageOf('alpha', { a: 'new', c: 'same' }), 'ann');
    await packages.saveUpload(packageOf('beta', { a: 'other' }), 'ann');
    const digests = ['old', 'new', 'same', 'other'].map((text) => digestOf(Buffer.from(text)));
    const found = await packages.findFiles('alpha', digests);
    expect([...found.keys()].sort()).toEqual(digests.slice(0, 3).sort());
    expect(found.get(digests[0] ?? '')).toEqual({ version: 1, path: 'a', size: 3 });
    expect(await packages.findFiles('alpha', [])).toEqual(new Map());
  });

  it('refuses a change of another version than the current one, also before a replica has read it', async () => {
    const database = await open();
    const [one, other] = [(await packagesOn(database)).packages, (await packagesOn(database)).packages];
    const save = (at: typeof one, a: string, basedOn: number) =>
      at.saveUpload(packageOf('alpha', { a }), 'ann', { basedOn });
    await expect(save(one, '1', 1)).rejects.toThrow('has changed since version 1');
    await save(one, '1', 0);
    await expect(save(other, '2', 0)).rejects.toThrow('There is a skill package alpha already');
    expect(other.get('alpha').version).toBe(1); // loaded by now
    await save(other, '2', 1);
    await expect(save(one, '3', 1)).rejects.toThrow('has changed since version 1');
    expect(one.get('alpha').version).toBe(2);
    await one.remove('alpha', 'ann');
    await expect(save(one, '3', 2)).rejects.toThrow('has changed since version 2');
    await save(one, '3', 0);
    expect(one.get('alpha').version).toBe(3);
  });

  it('enables what another replica has disabled a moment ago, and leaves alone what is enabled', async () => {
    const database = await open();
    const [one, other] = [(await packagesOn(database)).packages, (await packagesOn(database)).packages];
    await one.saveUpload(packageOf('alpha'), 'ann');
    await expect(other.setEnabled('beta', true, 'ben')).rejects.toThrow(PackageNotFound);
    await other.setEnabled('alpha', true, 'ben');
    expect(other.get('alpha')).toMatchObject({ enabled: true, updatedBy: 'ann' });
    await one.setEnabled('alpha', false, 'ann');
    await other.setEnabled('alpha', true, 'ben');
    await one.setEnabled('alpha', true, 'eve');
    expect(one.get('alpha')).toMatchObject({ enabled: true, updatedBy: 'ben' });
  });

  it('shows one whole version while another is saved', async () => {
    const { packages } = await packagesOn(await open());
    await packages.saveUpload(packageOf('alpha', { a: 'old', gone: 'x' }), 'ann');
    const before = packages.get('alpha');
    await packages.saveUpload(packageOf('alpha', { a: 'new' }), 'ann');
    expect(before.files.map(({ path }) => path)).toEqual(['SKILL.md', 'a', 'gone']);
    expect(Buffer.from((await packages.readFile(before, 'a')) ?? []).toString()).toBe('old');
  });

  it('finds packages by name, tag, description and instructions of the current version', async () => {
    const { packages, namesFor } = await packagesOn(await open());
    const save = (name: string, body: string, more = '') =>
      packages.saveUpload(packageOf(name, { 'SKILL.md': skillText(name, body, more) }), 'ann');
    await save('release-notes', 'Collect the merged pull requests.');
    await save('incident', 'Call the person on duty.', 'metadata:\n  tags: "pager"\n');
    expect(await namesFor('notes for a release')).toEqual(['release-notes']);
    expect(await namesFor('pager')).toEqual(['incident']);
    expect(await namesFor('merging pull requests')).toEqual(['release-notes']);
    await save('release-plan', 'Collect the merged pull requests of a release.');
    await packages.setEnabled('release-plan', false, 'ann');
    expect(await namesFor('release', 1)).toEqual(['release-notes']);
    await packages.remove('release-plan', 'ann');
    await packages.setEnabled('incident', false, 'ann');
    expect(await namesFor('pull requests', 1)).toEqual(['release-notes']);
    await save('release-notes', 'Ask the team.');
    expect(await namesFor('pull requests')).toEqual([]);
  });

  it('notifies of every change once, and only its own replica', async () => {
    const database = await open();
    const [one, other] = [await packagesOn(database), await packagesOn(database)];
    await one.packages.saveUpload(packageOf('alpha'), 'ann');
    await one.packages.saveUpload(packageOf('alpha'), 'ann');
    expect(one.sent).toEqual([['packages.changed', { names: ['alpha'] }]]);
    expect(other.packages.list()).toEqual([]);
  });

  it('takes no change for one of another replica, whenever it reloads', async () => {
    const { packages, store, sent, reload } = await packagesOn(await open());
    const save = store.save.bind(store);
    const reloads: Promise<void>[] = [];
    store.save = async (...given) => {
      const outcome = await save(...given);
      reloads.push(reload());
      return outcome;
    };
    await packages.saveUpload(packageOf('alpha'), 'ann');
    await Promise.all(reloads);
    expect(sent).toEqual([['packages.changed', { names: ['alpha'] }]]);
  });

  it('notifies of what it learns from a conflict', async () => {
    const database = await open();
    const [one, other] = [await packagesOn(database), await packagesOn(database)];
    await one.packages.saveUpload(packageOf('alpha'), 'ann');
    await expect(other.packages.saveUpload(packageOf('alpha', { a: 'x' }), 'ben', { basedOn: 0 })).rejects.toThrow(
      'There is a skill package alpha already',
    );
    expect(other.packages.find('alpha')).toMatchObject({ version: 1 });
    expect(other.sent).toEqual([['packages.changed', { names: ['alpha'] }]]);
  });

  it('is limited, and permanently deletes what was removed long ago', async () => {
    const { store, lists, namesFor } = await packagesOn(await open());
    const save = (name: string) => store.save(packageOf(name), { source: 'upload', by: 'ann', at: AT, most: 2 });
    expect([await save('alpha'), await save('beta'), await save('gamma')]).toEqual(['created', 'created', 'full']);
    await store.remove('alpha', { by: 'ann', at: AT });
    expect(await save('gamma')).toBe('created');
    expect(await store.deleteRemovedBefore(AT)).toBe(0);
    expect(await store.deleteRemovedBefore(new Date(AT.getTime() + 1))).toBe(1);
    expect(await lists.listVersions('alpha')).toEqual([]);
    expect(await namesFor('alpha')).toEqual([]);
  });
});

describeEachDatabase('skill packages that were removed long ago', (open) => {
  it('are deleted together, however many there are', async () => {
    const { store } = await packagesOn(await open());
    const removed = async (count: number) => {
      for (let number = 1; number <= count; number += 1) {
        await store.save(packageOf(`package-${number}`), { source: 'upload', by: 'ann', at: AT, most: 99 });
        await store.remove(`package-${number}`, { by: 'ann', at: AT });
      }
      const deleting = async () => expect(await store.deleteRemovedBefore(new Date(AT.getTime() + 1))).toBe(count);
      return (await statementsOf(deleting)).length;
    };
    expect(await removed(12)).toBe(await removed(1));
  });

  it('are deleted in parts', async () => {
    const database = await open();
    const { store } = await packagesOn(database);
    const row = { version: 1, enabled: 1, source: 'upload', updated_at: '', updated_by: null, removed_by: null };
    const rows = Array.from({ length: 101 }, (_, number) => ({ name: `package-${number}`, removed_at: '', ...row }));
    await database.insertInto('skill_packages').values(rows).execute();
    expect(await store.deleteRemovedBefore(AT)).toBe(101);
    expect(await database.selectFrom('skill_packages').select('name').execute()).toEqual([]);
  });
});

describeReplicas('two replicas', (databases) => {
  it('save the same new package at once, once', async () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      const checked = packageOf(name, { 'references/long.md': 'same '.repeat(100_000) });
      const save = { source: 'folder', by: null, at: AT, most: 10 } as const;
      const outcomes = await Promise.all(databases.map((one) => new PackageStore(one).save(checked, save)));
      expect(outcomes.sort()).toEqual(['created', 'unchanged']);
    }
  });
});
