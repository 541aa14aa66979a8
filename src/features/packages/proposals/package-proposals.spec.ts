import { jest } from '@jest/globals';
import { Random } from '../../../../test/fuzz/random.js';
import type { Database } from '../../../platform/database/database.js';
import { describeEachDatabase } from '../../../platform/database/testing.js';
import { parseEnvironment } from '../../../platform/environment/environment.js';
import { PackageDrafts } from '../drafts/package-drafts.service.js';
import { PackageFolders } from '../folder/package-folders.service.js';
import { packageOf, packagesOn } from '../testing.js';
import { PackageProposals } from './package-proposals.service.js';
import { ProposalStore } from './proposal.store.js';

const AT = new Date('2026-11-26T10:00:00.000Z');
const NAMES = ['alpha', 'beta'] as const;
const AUTHORS = ['ann', 'bot'] as const;

async function proposalsOn(database: Database) {
  const { packages } = await packagesOn(database);
  const folders = new PackageFolders(parseEnvironment({ SKILLS_DIR: '/nowhere' }), packages);
  const store = new ProposalStore(database);
  const drafts = new PackageDrafts(packages);
  return { packages, folders, store, drafts, proposals: new PackageProposals(store, drafts, packages, folders) };
}

const skill = (name: string, text: string, author: string) => ({
  ...{ name, author, description: `How to ${text}.`, instructions: `Do ${text}.` },
  files: [{ path: 'references/A.md', text }],
});

describeEachDatabase('proposals of skill packages', (open) => {
  it('are what a model says after any changes, on every replica and after restarts', async () => {
    for (const seed of [1, 2, 3]) {
      const database = await open();
      const random = new Random(seed);
      const proposed = new Map<string, string>(); // text by name and author
      const current = new Map<string, string>(); // text by package name
      let one = await proposalsOn(database);
      for (let step = 0; step < 60; step += 1) {
        const [name, author, text] = [random.pick(NAMES), random.pick(AUTHORS), random.pick(['a', 'b', 'c'])];
        const key = `${name} ${author}`;
        const open = (await one.proposals.listOpen()).find((item) => item.name === name && item.author === author);
        expect(open === undefined).toBe(!proposed.has(key));
        switch (random.pick(['propose', 'propose', 'propose', 'accept', 'refuse', 'restart', 'replica'])) {
          case 'propose': {
            const outcome = await one.proposals.propose(skill(name, text, author), AT);
            const before = proposed.get(key);
            const expected = before === undefined ? 'created' : before === text ? 'unchanged' : 'replaced';
            expect(outcome).toBe(current.get(name) === text ? 'current' : expected);
            if (current.get(name) !== text) proposed.set(key, text);
            break;
          }
          case 'accept': {
            if (!open) break;
            const { checked } = await one.proposals.get(open.id);
            await one.proposals.accept(open.id, checked?.digest ?? '', 'admin');
            current.set(name, proposed.get(key) ?? '');
            proposed.delete(key);
            await expect(one.proposals.get(open.id)).rejects.toThrow('no open proposal');
            break;
          }
          case 'refuse':
            if (open) await one.proposals.refuse(open.id);
            proposed.delete(key);
            break;
          default:
            one = await proposalsOn(database);
        }
        const items = await one.proposals.listOpen();
        expect(items.map((item) => `${item.name} ${item.author}`).sort()).toEqual([...proposed.keys()].sort());
        for (const { id, name: of, author: by } of items) {
          const { proposal } = await one.proposals.get(id);
          expect(proposal).toMatchObject(skill(of, proposed.get(`${of} ${by}`) ?? '', by));
        }
        expect(one.packages.list().map((found) => [found.name, found.frontmatter.description])).toEqual(
          [...current].sort().map(([of, is]) => [of, `How to ${is}.`]),
        );
      }
      const ended = database.selectFrom('skill_package_proposals').where('state', '!=', 'open');
      const texts = await ended.select(['description', 'instructions', 'files']).distinct().execute();
      expect(texts).toEqual([{ description: '', instructions: '', files: '[]' }]);
    }
  });

  it('keep the other files and fields of the package that they change', async () => {
    const { packages, proposals } = await proposalsOn(await open());
    const text = '---\nname: alpha\nlicense: MIT\ndescription: Old.\n---\nOld.\n';
    await packages.saveUpload(packageOf('alpha', { 'SKILL.md': text, 'a.bin': Buffer.from([0, 255]) }), 'ann');
    await proposals.propose(skill('alpha', 'new', 'bot'));
    const [item] = await proposals.listOpen();
    const { checked } = await proposals.get(item?.id ?? 0);
    expect(packages.get('alpha').version).toBe(1);
    await proposals.accept(item?.id ?? 0, checked?.digest ?? '', 'ben');
    const { version, updatedBy, frontmatter, files } = packages.get('alpha');
    expect({ version, updatedBy, frontmatter }).toEqual({
      ...{ version: 2, updatedBy: 'ben' },
      frontmatter: { name: 'alpha', license: 'MIT', description: 'How to new.' },
    });
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'a.bin', 'references/A.md']);
  });

  it('are accepted only as they were looked at', async () => {
    const { packages, proposals } = await proposalsOn(await open());
    await proposals.propose(skill('alpha', 'new', 'bot'));
    const [item] = await proposals.listOpen();
    const { checked } = await proposals.get(item?.id ?? 0);
    await packages.saveUpload(packageOf('alpha', { b: 'x' }), 'ann');
    await expect(proposals.accept(item?.id ?? 0, checked?.digest ?? '', 'ben')).rejects.toThrow('look at it again');
    await proposals.propose(skill('alpha', 'newer', 'bot'));
    await expect(proposals.accept(item?.id ?? 0, checked?.digest ?? '', 'ben')).rejects.toThrow('no open proposal');
    expect(packages.get('alpha').version).toBe(1);
  });

  it('replace no version that is saved while they are accepted', async () => {
    const { packages, drafts, proposals } = await proposalsOn(await open());
    await packages.saveUpload(packageOf('alpha', { a: 'old' }), 'ann');
    await proposals.propose(skill('alpha', 'new', 'bot'));
    const [{ id } = { id: 0 }] = await proposals.listOpen();
    const { checked } = await proposals.get(id);
    const save = drafts.save.bind(drafts);
    jest.spyOn(drafts, 'save').mockImplementationOnce(async (draft, by) => {
      await packages.saveUpload(packageOf('alpha', { a: 'meanwhile' }), 'ann');
      return save(draft, by);
    });
    await expect(proposals.accept(id, checked?.digest ?? '', 'ben')).rejects.toThrow('look at it again');
    expect(packages.get('alpha')).toMatchObject({ version: 2, updatedBy: 'ann' });
    expect(await proposals.listOpen()).toHaveLength(1);
  });

  it('can be looked at and refused, and not accepted, when a folder has the package by now', async () => {
    const { packages, folders, proposals } = await proposalsOn(await open());
    await proposals.propose(skill('alpha', 'new', 'bot'));
    const [{ id } = { id: 0 }] = await proposals.listOpen();
    await packages.saveFromFolder(packageOf('alpha', { b: 'x' }));
    jest.spyOn(folders, 'list').mockReturnValue([{ place: 'alpha', name: 'alpha', problems: [] }]);
    const { checked, problems } = await proposals.get(id);
    expect(problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining('comes from a folder') as string },
    ]);
    await expect(proposals.accept(id, checked?.digest ?? '', 'ben')).rejects.toThrow('comes from a folder');
    await expect(proposals.propose(skill('alpha', 'newer', 'bot'))).rejects.toThrow('comes from a folder');
    await proposals.refuse(id);
    expect(await proposals.listOpen()).toEqual([]);
  });

  it('have limits: 200 a day of a client, 500 in all, and 1,000,000 characters', async () => {
    const { store, proposals } = await proposalsOn(await open());
    const later = new Date(AT.getTime() + 24 * 3_600_000);
    for (let count = 0; count < 200; count += 1) await proposals.propose(skill('alpha', `x${count}`, 'bot'), AT);
    const [item] = await proposals.listOpen();
    await proposals.refuse(item?.id ?? 0);
    await expect(proposals.propose(skill('alpha', 'more', 'bot'), AT)).rejects.toThrow('200 skills in 24 hours');
    expect(await proposals.propose(skill('alpha', 'more', 'ann'), AT)).toBe('created');
    expect(await proposals.propose(skill('alpha', 'more', 'bot'), later)).toBe('created');
    const limits = { since: later, mostSince: 10, mostOpen: 2 };
    const another = { ...skill('beta', 'x', 'bot'), proposedAt: later };
    expect(await store.propose(another, limits)).toBe('full');
    const files = Array.from({ length: 6 }, (_file, at) => ({ path: `f${at}`, text: 'x'.repeat(190_000) }));
    await expect(proposals.propose({ ...skill('beta', 'x', 'bot'), files })).rejects.toThrow('1000000 characters');
    expect(await store.deleteBefore(later)).toBe(201);
    expect(await proposals.listOpen()).toHaveLength(1);
  });

  it('are refused with their mistakes, and no number is too large', async () => {
    const { proposals } = await proposalsOn(await open());
    const wrong = { ...skill('alpha', 'x', 'bot'), files: [{ path: '../x', text: '' }] };
    await expect(proposals.propose(wrong)).rejects.toThrow('files must be inside the package');
    for (const id of [2 ** 62, 1e30, -1]) {
      await expect(proposals.get(id)).rejects.toThrow('no open proposal');
      await expect(proposals.refuse(id)).rejects.toThrow('no open proposal');
    }
  });
});
