import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Skill, type SkillHandler } from '#skill-kit';
import { growingPartsOf, learned, numbersUpTo, statementsOf } from '../../../platform/database/plans.testing.js';
import { describeEachDatabase, memoryDatabase } from '../../../platform/database/testing.js';
import { DefinitionReader } from './definition-reader.service.js';
import { addRun, definitionsOn, workflowText } from './testing.js';
import { numbersBelow } from '../../../../test/fuzz/random.js';
import { untilLocked } from '../../../../test/support/lock-waits.js';

type Definitions = Awaited<ReturnType<typeof definitionsOn>>['definitions'];

@Skill({ name: 'taken', description: 'Use this to take a name.' })
class Taken implements SkillHandler {
  execute(): string {
    return 'taken';
  }
}

/** The expected definitions: what was saved, by name and version. */
class Model {
  readonly versions = new Map<string, Map<string, { text: string; hasRun: boolean; author: string | null }>>();
  readonly workflows = new Map<string, { version: string; enabled: boolean }>();

  save(name: string, version: string, text: string, makeCurrent: boolean): string {
    const versions = this.versionsOf(name);
    const before = versions.get(version);
    const isCurrent = this.workflows.get(name)?.version === version;
    if (before && before.author !== null && before.text !== text && !isCurrent) return 'workflows.version_proposed';
    if (before?.hasRun && before.text !== text) return 'workflows.version_has_run';
    if (before?.text !== text) versions.set(version, { text, hasRun: before?.hasRun ?? false, author: null });
    const workflow = this.workflows.get(name);
    if (!workflow) this.workflows.set(name, { version, enabled: true });
    else if (makeCurrent) workflow.version = version;
    return before === undefined ? 'created' : before.text === text ? 'unchanged' : 'replaced';
  }

  propose(name: string, version: string, text: string, author: string): string {
    const versions = this.versionsOf(name);
    const [before, workflow] = [versions.get(version), this.workflows.get(name)];
    if (before && before.text !== text) return 'workflows.version_taken';
    if (!before) versions.set(version, { text, hasRun: false, author });
    if (!workflow) this.workflows.set(name, { version, enabled: false });
    return before ? 'unchanged' : 'created';
  }

  private versionsOf(name: string) {
    const versions =
      this.versions.get(name) ?? new Map<string, { text: string; hasRun: boolean; author: string | null }>();
    this.versions.set(name, versions);
    return versions;
  }

  remove(name: string): string {
    if (!this.workflows.delete(name)) return 'workflows.not_found';
    const versions = this.versions.get(name) ?? new Map<string, { hasRun: boolean }>();
    for (const [version, { hasRun }] of versions) if (!hasRun) versions.delete(version);
    return 'removed';
  }
}

const NAMES = ['one', 'two', 'three'];
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'];
const outcomeOf = (done: Promise<string>) => done.catch((error: { code: string }) => error.code);

async function stateOf(definitions: Definitions) {
  const { items } = await definitions.listPage({ limit: 50 });
  const workflows = items.map(({ name, version, enabled, document }) => [name, version, enabled, document]);
  const versions = [];
  for (const name of [...NAMES].sort()) {
    const page = await definitions.listVersions(name, { limit: 50 });
    for (const { version } of page.items)
      versions.push([name, version, (await definitions.getVersion(name, version)).document]);
  }
  const current = (await definitions.listEnabled()).map(({ document }) => document.name);
  return { workflows, versions: versions.map(String).sort(), current };
}

function expectedOf(model: Model) {
  const workflows = [...model.workflows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { version, enabled }]) => [name, version, enabled, model.versions.get(name)?.get(version)?.text]);
  const versions = [...model.versions].flatMap(([name, all]) =>
    [...all].map(([version, { text }]) => [name, version, text]),
  );
  const current = workflows.filter(([, , enabled]) => enabled).map(([name]) => name);
  return { workflows, versions: versions.map(String).sort(), current };
}

describeEachDatabase('the definitions', (open) => {
  it('keep the text of a proposal, which an administrator may have read, until it is current, whatever the clock does', async () => {
    const { definitions, close } = await definitionsOn(await open());
    const at = (second: number) => new Date(1_800_000_000_000 + second * 1000);
    const propose = (wait: string, second: number) =>
      definitions.propose(workflowText('one', '1.1.0', `wait: ${wait}`), { owner: 'ada' }, at(second));
    const save = (wait: string) =>
      definitions.save(workflowText('one', '1.1.0', `wait: ${wait}`), { source: 'admin' }, at(3));
    await definitions.save(workflowText('one'), { source: 'admin' }, at(3_600)); // saved with a clock that was ahead
    await propose('PT1S', 1);
    const saved = async () => JSON.stringify((await definitions.getDefinition('one', '1.1.0')).do);
    expect(await saved()).toContain('PT1S');
    await expect(propose('PT2S', 2)).rejects.toThrow('raise document.version');
    expect(await saved()).toContain('PT1S');
    await expect(save('PT3S')).rejects.toThrow('version 1.1.0 of "one" is a proposal of an assistant');
    expect((await definitions.getVersion('one', '1.1.0')).document).toContain('PT1S');
    expect((await save('PT1S')).outcome).toBe('unchanged'); // already accepted
    expect((await save('PT3S')).outcome).toBe('replaced');
    expect(await saved()).toContain('PT3S');
    await close();
  });

  it.each([1, 2])('match a model, whatever is done to them (%i)', async (seed) => {
    const database = await open();
    const { definitions, close } = await definitionsOn(database);
    const model = new Model();
    const below = numbersBelow(seed);
    for (let step = 0; step < 100; step++) {
      const [name = '', version = ''] = [NAMES[below(3)], VERSIONS[below(3)]];
      const text = workflowText(name, version, `wait: PT${below(2) + 1}S`);
      const at = new Date(1_800_000_000_000 + step * 1000);
      let [done, expected] = ['', ''];
      switch (below(8)) {
        case 0:
        case 1: {
          const makeCurrent = below(3) > 0;
          done = await outcomeOf(
            definitions.save(text, { source: 'admin', makeCurrent }, at).then(({ outcome }) => outcome),
          );
          expected = model.save(name, version, text, makeCurrent);
          break;
        }
        case 5:
        case 6: {
          const author = ['ada', 'ben'][below(2)] ?? '';
          done = await outcomeOf(definitions.propose(text, { owner: author }, at).then(({ outcome }) => outcome));
          expected = model.propose(name, version, text, author);
          break;
        }
        case 2:
          done = await outcomeOf(definitions.remove(name).then(() => 'removed'));
          expected = model.remove(name);
          break;
        case 3: {
          const enabled = below(2) === 0;
          done = await outcomeOf(definitions.setEnabled(name, enabled, at).then(() => 'done'));
          const workflow = model.workflows.get(name);
          if (workflow) workflow.enabled = enabled;
          expected = workflow ? 'done' : 'workflows.not_found';
          break;
        }
        case 4: {
          done = await outcomeOf(definitions.setCurrent(name, version, at).then(() => 'done'));
          const workflow = model.workflows.get(name);
          const isThere = workflow !== undefined && model.versions.get(name)?.has(version) === true;
          if (isThere) workflow.version = version;
          expected = isThere ? 'done' : 'workflows.not_found';
          break;
        }
        default: {
          const known = model.versions.get(name)?.get(version);
          if (known && model.workflows.has(name)) {
            await addRun(database, name, version);
            known.hasRun = true;
          }
        }
      }
      expect([step, done]).toEqual([step, expected]);
      expect(await stateOf(definitions)).toEqual(expectedOf(model));
    }
    await close();
  });

  it('are listed in pages, and found by a part of the name', async () => {
    const { definitions, close } = await definitionsOn(await open());
    for (const name of ['b-one', 'a_two', 'A-three', 'c1'])
      await definitions.save(workflowText(name), { source: 'admin' });
    const first = await definitions.listPage({ limit: 3 });
    const second = await definitions.listPage({ limit: 3, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ name }) => name).sort()).toEqual([
      'A-three',
      'a_two',
      'b-one',
      'c1',
    ]);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([3, 1, null]);
    expect((await definitions.listPage({ limit: 9, q: 'T' })).items.map(({ name }) => name).sort()).toEqual([
      'A-three',
      'a_two',
    ]);
    expect((await definitions.listPage({ limit: 9, q: '_' })).items.map(({ name }) => name)).toEqual(['a_two']);
    expect(definitions.listNames('a', 9)).toEqual(['a_two']);
    await close();
  });

  it('are listed with what waits for an administrator', async () => {
    const { definitions, close } = await definitionsOn(await open());
    const at = (second: number) => new Date(1_800_000_000_000 + second * 1_000);
    const entries = async () =>
      (await definitions.listEntries()).map(({ name, enabled, isProposed }) => [name, enabled, isProposed]);
    await definitions.save(workflowText('mine'), { source: 'admin' }, at(1));
    await definitions.propose(workflowText('draft'), { owner: 'ada' }, at(1));
    expect(await entries()).toEqual([
      ['draft', false, true],
      ['mine', true, false],
    ]);
    await definitions.setEnabled('draft', true, at(2));
    await definitions.propose(workflowText('mine', '2.0.0'), { owner: 'ada' }, at(2));
    expect(await entries()).toEqual([
      ['draft', true, false],
      ['mine', true, true],
    ]);
    await definitions.setCurrent('mine', '2.0.0', at(3));
    await definitions.setEnabled('draft', false, at(3));
    await definitions.save(workflowText('draft', '3.0.0'), { source: 'admin' }, at(4));
    expect(await entries()).toEqual([
      ['draft', false, false],
      ['mine', true, false],
    ]);
    await close();
  });

  it('are seen on another replica at its next reload, with an event of what has changed', async () => {
    const database = await open();
    const here = await definitionsOn(database);
    const there = await definitionsOn(database);
    await here.definitions.save(workflowText('one'), { source: 'admin' });
    await here.definitions.save(workflowText('two'), { source: 'admin' });
    expect(here.sent).toEqual([
      ['workflows.changed', { names: ['one'] }],
      ['workflows.changed', { names: ['two'] }],
    ]);
    await there.definitions.reload();
    await there.definitions.reload();
    expect(there.sent).toEqual([['workflows.changed', { names: ['one', 'two'], isFromElsewhere: true }]]);
    expect((await there.definitions.getDefinition('one', 'latest')).do).toEqual([{ work: { wait: 'PT1S' } }]);
    await here.definitions.save(workflowText('one', '1.0.0', 'wait: PT9S'), { source: 'admin' });
    await there.definitions.reload();
    expect((await there.definitions.getDefinition('one', '1.0.0')).do).toEqual([{ work: { wait: 'PT9S' } }]);
    await here.close();
    await there.close();
  });

  it('take no change for one of another replica, whenever they reload', async () => {
    const { definitions, store, sent, close } = await definitionsOn(await open());
    const save = store.save.bind(store);
    const reloads: Promise<void>[] = [];
    store.save = async (...given) => {
      const outcome = await save(...given);
      reloads.push(definitions.reload());
      return outcome;
    };
    await definitions.save(workflowText('one'), { source: 'admin' });
    await Promise.all(reloads);
    expect(sent).toEqual([['workflows.changed', { names: ['one'] }]]);
    await close();
  });

  it('are known as last read when two reloads overlap', async () => {
    const { definitions, store, close } = await definitionsOn(await open());
    await definitions.save(workflowText('one'), { source: 'admin' });
    const before = await store.listStates();
    await definitions.save(workflowText('two'), { source: 'admin' });
    const after = await store.listStates();
    const older = Promise.withResolvers<typeof before>();
    jest.spyOn(store, 'listStates').mockReturnValueOnce(older.promise).mockResolvedValueOnce(after);
    const reloads = Promise.all([definitions.reload(), definitions.reload()]);
    await nextTurn();
    older.resolve(before);
    await reloads;
    expect(definitions.listNames()).toEqual(['one', 'two']);
    await close();
  });

  it('stay readable for runs after the workflow was removed, if they have run', async () => {
    const database = await open();
    const { definitions, close } = await definitionsOn(database);
    await definitions.save(workflowText('one', '1.0.0'), { source: 'admin' });
    await definitions.save(workflowText('one', '1.1.0'), { source: 'admin' });
    await addRun(database, 'one', '1.0.0');
    await definitions.remove('one');
    expect((await definitions.getDefinition('one', '1.0.0')).document.version).toBe('1.0.0');
    for (const version of ['1.1.0', 'latest']) {
      expect(await outcomeOf(definitions.getDefinition('one', version).then(() => 'found'))).toBe(
        'workflows.not_found',
      );
    }
    await close();
  });

  it('are refused with every mistake at its place, under a wrong name, and under a name that is taken', async () => {
    const { definitions, skills, close } = await definitionsOn(await open());
    skills.register(new Taken());
    const save = (text: string, more: object = {}) =>
      outcomeOf(definitions.save(text, { source: 'admin', ...more }).then(() => 'saved'));
    await expect(
      definitions.save(workflowText('one', '1.0.0', 'wait: soon'), { source: 'admin' }),
    ).rejects.toMatchObject({
      code: 'workflows.invalid_definition',
      fields: [
        { path: '/do/0/work/wait', line: 9, column: 13, message: expect.stringContaining('ISO 8601') as string },
      ],
    });
    expect(await save(workflowText('one', '1.0.0', 'set: { a: "${ .[ }" }'))).toBe('workflows.invalid_definition');
    expect(await save(workflowText('taken'))).toBe('workflows.name_taken');
    expect(await save(workflowText('schema'))).toBe('workflows.name_taken');
    expect(await save(workflowText('new'))).toBe('workflows.name_taken');
    expect(await save(workflowText('one'), { name: 'two' })).toBe('workflows.name_differs');
    expect(await save(workflowText('one'), { mustBeNew: true })).toBe('saved');
    expect(await save(workflowText('one', '2.0.0'), { mustBeNew: true })).toBe('workflows.name_taken');
    expect(await save(workflowText('two', '1.0.0', 'call: one'))).toBe('workflows.invalid_definition');
    expect(await save(`${workflowText('three')}# \0`)).toBe('workflows.invalid_definition');
    await close();
  });
});

describeEachDatabase('a workflow of two replicas', (open, dialect) => {
  // SQLite runs one transaction at a time.
  (dialect === 'postgres' ? it : it.skip)('is saved by one while it is deleted by the other', async () => {
    const database = await open();
    const { store, close } = await definitionsOn(database);
    const version = { name: 'one', version: '1.0.0', source: 'admin', author: null, createdAt: new Date(0) } as const;
    try {
      await store.save({ ...version, document: 'first' }, { makeCurrent: true });
      const { both } = await database.transaction().execute(async (transaction) => {
        await transaction.updateTable('workflows').set({ enabled: 1 }).execute();
        const deleting = store.delete('one');
        await untilLocked(database, 1);
        const saving = store.save({ ...version, document: 'second' }, { makeCurrent: true });
        await untilLocked(database, 2);
        return { both: Promise.all([deleting, saving]) };
      });
      expect(await both).toEqual([true, 'created']);
      expect(await store.find('one')).toMatchObject({ document: 'second' });
    } finally {
      await close();
    }
  });
});

it('logs once that an enabled workflow is no longer valid', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const database = await memoryDatabase();
  const { definitions, store, close } = await definitionsOn(database);
  try {
    const version = { name: 'old', version: '1.0.0', source: 'admin', author: null, createdAt: new Date() } as const;
    await store.save({ ...version, document: 'document: {}' }, { makeCurrent: true });
    await definitions.reload();
    for (const _again of [1, 2]) expect(await definitions.listEnabled()).toEqual([]);
    expect(warn.mock.calls).toEqual([['workflow old 1.0.0 is left out: its text is not valid any more']]);
  } finally {
    warn.mockRestore();
    await close();
    await database.destroy();
  }
});

describe('many workflows', () => {
  const MANY = 230;

  /** Adds workflows, some of which have several versions. */
  async function manyOn() {
    const database = await memoryDatabase();
    const made = await definitionsOn(database);
    const at = new Date();
    for (let n = 0; n < MANY; n += 1) {
      const version = { name: `w${n}`, source: 'admin', author: null, createdAt: at } as const;
      const document = workflowText(version.name);
      await made.store.save({ ...version, version: '1.0.0', document }, { makeCurrent: true });
    }
    await made.definitions.reload();
    const read = jest.spyOn(DefinitionReader.prototype, 'read');
    const close = async () => {
      read.mockRestore();
      await made.close();
      await database.destroy();
    };
    return { ...made, read, close };
  }

  it('are parsed once each, whatever else is read in between', async () => {
    const { definitions, read, close } = await manyOn();
    expect(await definitions.listEnabled()).toHaveLength(MANY);
    for (let n = 0; n < MANY; n += 1) {
      const version = `2.0.${n}`;
      await definitions.definitionOf({
        ...(await definitions.get('w0')),
        version,
        document: workflowText('w0', version),
      });
    }
    expect(read).toHaveBeenCalledTimes(2 * MANY);
    read.mockClear();
    expect(await definitions.listEnabled()).toHaveLength(MANY);
    expect(read).not.toHaveBeenCalled();
    await close();
  });

  it('are read again only when they have changed', async () => {
    const { definitions, store, close } = await manyOn();
    const listed = async () =>
      (await definitions.listEnabled()).map(({ document }) => `${document.name} ${document.version}`);
    const before = await listed();
    const texts = jest.spyOn(store, 'listEnabled');
    expect(await listed()).toEqual(before);
    expect(texts).not.toHaveBeenCalled();
    await definitions.save(workflowText('w5', '1.1.0'), { source: 'admin' });
    await definitions.setEnabled('w6', false);
    await definitions.remove('w7');
    const gone = new Set(['w6 1.0.0', 'w7 1.0.0']);
    expect(await listed()).toEqual(
      before.filter((one) => !gone.has(one)).map((one) => (one === 'w5 1.0.0' ? 'w5 1.1.0' : one)),
    );
    expect(texts.mock.calls).toEqual([[['w5']]]);
    await definitions.setEnabled('w6', true);
    expect(await listed()).toContain('w6 1.0.0');
    expect(texts.mock.calls).toEqual([[['w5']], [['w6']]]);
    await close();
  });

  it('are parsed in turns, so that others need not wait for all of them', async () => {
    const { definitions, close } = await manyOn();
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    await definitions.listEnabled();
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(MANY - 1);
    await close();
  });
});

describeEachDatabase('a workflow with many runs beside many versions', (open) => {
  it('is saved, listed and removed without reading all of them', async () => {
    const database = await open();
    const { definitions, store, close } = await definitionsOn(database);
    await definitions.save(workflowText('one', '0.1.0'), { source: 'admin' });
    const numbers = numbersUpTo(database, 3_000);
    const at = `'2026-01-01T00:00:0' || (n / 1000) || '.' || substr(cast(1000 + n % 1000 as text), 2) || 'Z'`;
    for (const statement of [
      `insert into workflow_versions (name, version, document, source, author, created_at)
        select 'w' || (n / 100), '1.0.' || n, 'x', 'admin', null, ${at} from (${numbers}) as numbers`,
      `insert into workflow_runs (id, program, name, version, status, partition, epoch, root, depth, origin, client, owner,
          client_groups, input, questions, is_test, created_at, updated_at, ended_at)
        select 'r' || n, 'workflow', 'one', '0.0.' || n % 10, 'completed', 0, 0, 'r' || n, 0, 'call', 'ada', 'ada', '[]', '{}', 0, 0,
          ${at}, ${at}, ${at} from (${numbers}) as numbers`,
    ])
      await sql.raw(statement).execute(database);
    await learned(database);
    const statements = await statementsOf(async () => {
      await definitions.save(workflowText('one', '0.1.0', 'wait: PT2S'), { source: 'admin' });
      await store.countProposed('ada', new Date(0));
      await definitions.listEntries();
      await definitions.listVersions('one', { limit: 10 });
      await definitions.remove('one');
    });
    // On PostgreSQL, `explain` executes the statement, so reads are explained before deletions.
    const kinds = [/^select/, /^(insert|delete)/];
    const growing: string[] = [];
    for (const statement of kinds.flatMap((kind) => statements.filter((one) => kind.test(one.sql))))
      growing.push(...(await growingPartsOf(database, statement, 100)));
    // The workflows are listed in full, and so are the proposals of assistants.
    const listed = /^SCAN (workflows( |$)|workflow_versions USING COVERING INDEX workflow_versions_proposed)/;
    expect(growing.filter((part) => !listed.test(part))).toEqual([]);
    await close();
  });
});
