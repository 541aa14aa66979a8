import { type KyselyPlugin, type PluginTransformQueryArgs, type PluginTransformResultArgs, sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase, memoryDatabase } from '../../src/platform/database/testing.js';
import { LEFT_OUT, exportLines, importLines, TRANSFERRED } from '../../src/platform/database/transfer.js';
import { auditEntry, auditOn } from '../../src/access/audit/testing.js';
import { PackageStore } from '../../src/features/packages/package.store.js';
import { packageOf, packagesOn } from '../../src/features/packages/testing.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { ReplicaStore } from '../../src/platform/database/replica.store.js';
import { triggersOn } from '../../src/platform/sql/dialect.js';
import { ChangeLogStore } from '../../src/entrypoints/mcp/change-log.store.js';
import { describeEachOnNewPostgres } from '../support/postgres.js';
import { until } from '../support/until.js';

async function collected(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function* from(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function fill(database: Database): Promise<void> {
  for (let count = 0; count < 1_200; count += 1) {
    await database
      .insertInto('facts')
      .values({ name: `fact ${count}`, value: 'ä"\n', updated_at: '' })
      .execute();
  }
  await sql`insert into mcp_sessions values ('s', 'c', 'v', null, null, '{}', null, 0, '', '', 'ask_shown', 0, 0, null)`.execute(
    database,
  );
  await sql`insert into clients values ('c', 'n', '[]', '{}', null, '')`.execute(database);
  await sql`insert into client_keys values ('k', 'c', 'hash', 'ask_shown', '', null)`.execute(database);
  await sql`insert into mcp_streams values ('t', 's', '[]', 0, '', null, 'p', 0, 0)`.execute(database);
  await sql`insert into mcp_stream_events values ('t', 1, null)`.execute(database);
  await new ChangeLogStore(database).append({ kind: 'tools_list_changed' });
  const skill = packageOf('release', { picture: new Uint8Array([0, 255, 1]) });
  await new PackageStore(database).save(skill, { source: 'upload', by: 'ann', at: new Date(0), most: 10 });
}

class Statements implements KyselyPlugin {
  mostRows = 0;
  mostCharacters = 0;
  inserts = 0;

  transformQuery({ node }: PluginTransformQueryArgs): PluginTransformQueryArgs['node'] {
    if (node.kind === 'RawNode' && node.sqlFragments[0]?.startsWith('insert')) this.inserts += 1;
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<PluginTransformResultArgs['result']> {
    this.mostRows = Math.max(this.mostRows, result.rows.length);
    this.mostCharacters = Math.max(this.mostCharacters, JSON.stringify(result.rows).length);
    return result;
  }
}

describeEachDatabase('export and import', (open) => {
  it('cover every table', async () => {
    const tables = await (await open()).introspection.getTables();
    const names = tables.map(({ name }) => name).filter((name) => !/^sqlite_/.test(name) && !LEFT_OUT.test(name));
    expect(TRANSFERRED.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('move everything from the embedded database, and go on from there', async () => {
    const source = await memoryDatabase();
    await fill(source);
    const lines = await collected(exportLines(source));
    const target = await open();
    expect(await importLines(target, from(lines), false)).toBe(1_211);
    expect(await collected(exportLines(target))).toEqual(lines);
    const { packages, namesFor, lists } = await packagesOn(target);
    expect(await packages.readFile(packages.get('release'), 'picture')).toEqual(Buffer.from([0, 255, 1]));
    expect([await lists.indexMissing(10), await namesFor('release')]).toEqual([1, ['release']]);
    expect(await new ChangeLogStore(target).append({ kind: 'tools_list_changed' })).toBe(2);
    await source.destroy();
  });

  it('take few rows at once when they are large', async () => {
    const source = await open();
    const value = 'x'.repeat(1_000_000);
    for (let count = 0; count < 60; count += 1)
      await source
        .insertInto('facts')
        .values({ name: `fact ${count}`, value, updated_at: '' })
        .execute();
    const reading = new Statements();
    const lines = await collected(exportLines(source.withPlugin(reading)));
    expect(reading.mostRows).toBe(20);
    const writing = new Statements();
    expect(await importLines((await open()).withPlugin(writing), from(lines), false)).toBe(61);
    expect(writing.inserts).toBeGreaterThanOrEqual(15); // of 4 rows each
  });

  it('take few rows at once also when large ones come after many that are small', async () => {
    const source = await open();
    const values = Array.from({ length: 1_300 }, (_, n) => 'x'.repeat(n < 700 ? 1 : 20_000));
    for (const [n, value] of values.entries())
      await source
        .insertInto('facts')
        .values({ name: `fact ${1_000_000 + n}`, value, updated_at: '' })
        .execute();
    const reading = new Statements();
    await collected(exportLines(source.withPlugin(reading)));
    expect(reading.mostCharacters).toBeLessThan(3_000_000);
  });

  it('do not change a database with content, unless told to replace it', async () => {
    const [source, target] = [await open(), await open()];
    await fill(source);
    await fill(target);
    const lines = await collected(exportLines(source));
    await expect(importLines(target, from(lines), false)).rejects.toThrow('not empty');
    expect(await importLines(target, from(lines), true)).toBe(1_211);
  });

  it('put the audit log of the export in the place of another, and guard it as before', async () => {
    const [source, target] = [await open(), await open()];
    for (const [database, count] of [
      [source, 8],
      [target, 12],
    ] as const) {
      const { log } = auditOn(database);
      for (let n = 0; n < count; n += 1) {
        log.record(auditEntry());
        if (n % 3 === 2) await log.flush();
      }
      await log.flush();
    }
    const before = new Date();
    await auditOn(source).appended.deleteOldest({ before, limit: 3, now: before });
    const guards = await triggersOn(target, ['audit_batches', 'audit_terms', 'audit_chain']);
    await importLines(target, from(await collected(exportLines(source))), true);
    expect(await auditOn(target).chain.verify()).toMatchObject({ checked: 6, last: { seq: 9 }, broken: null });
    expect((await triggersOn(target, ['audit_batches', 'audit_terms', 'audit_chain'])).sort()).toEqual(guards.sort());
  });

  it.each([
    ['something else', ['{"hello":1}'], 'not an export'],
    ['nothing', [], 'not an export'],
    ['an export of another version', ['{"format":"agent-service-export","migrations":["0000"]}'], 'another version'],
  ])('refuse %s', async (_case, lines, message) => {
    await expect(importLines(await open(), from(lines), false)).rejects.toThrow(message);
  });

  it('change nothing when a row is broken', async () => {
    const [source, target] = [await open(), await open()];
    await fill(source);
    const lines = await collected(exportLines(source));
    for (const [broken, message] of [
      [[...lines.slice(0, -1), 'garbage', ...lines.slice(-1)], 'line 1213'],
      [[...lines, 'garbage'], 'line 1213'],
      [[...lines, ...lines.slice(-1)], 'line 1213'],
      [lines.slice(0, -1), 'ends after 1211 rows'],
      [lines.slice(0, 1), 'ends after 0 rows'],
      [[...lines.slice(0, 7), ...lines.slice(8)], 'has 1210 of 1211 rows'],
      [lines.with(7, '["facts",null]'), 'line 8'],
      [lines.with(7, '["facts",{}]'), 'line 8'],
      [lines.with(7, '["facts","text"]'), 'the table facts refuses rows'],
      [lines.with(7, '["facts",{"nothing":1}]'), 'the table facts refuses rows'],
      [lines.with(7, lines[8] ?? ''), 'the table facts refuses rows'],
      [lines.filter((line) => !line.startsWith('["clients"')), 'the table client_keys refuses rows'],
    ] as const)
      await expect(importLines(target, from(broken), false)).rejects.toThrow(message);
    expect(await target.selectFrom('facts').select('name').execute()).toEqual([]);
  });
});

describeEachOnNewPostgres('an import while replicas start', (database) => {
  let target: Database;
  let lines: string[] = [];
  beforeEach(async () => {
    target = await openPostgres(database.url);
    const source = await memoryDatabase();
    await fill(source);
    lines = await collected(exportLines(source));
    await source.destroy();
  });
  afterEach(() => target.destroy());
  async function* linesWith(meanwhile: () => Promise<unknown>): AsyncGenerator<string> {
    yield* lines.slice(0, 600);
    await meanwhile();
    yield* lines.slice(600);
  }

  it('lets them begin when everything is there', async () => {
    const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    let starting: Promise<Database> | undefined;
    const began = importLines(
      target,
      linesWith(async () => {
        starting = openPostgres(database.url);
        await until(async () => (await waiting.execute(target)).rows.length === 1);
      }),
      false,
    );
    expect(await began).toBe(1_211);
    const started = await starting;
    expect(await started?.selectFrom('facts').select('name').execute()).toHaveLength(1_200);
    await started?.destroy();
  });

  it('is rejected when a replica had started before, which may have cached the old data', async () => {
    const began = importLines(
      target,
      linesWith(() => new ReplicaStore(target).saveSeen('r')),
      false,
    );
    await expect(began).rejects.toThrow('a replica uses the database: stop all of them first');
    expect(await target.selectFrom('facts').select('name').execute()).toEqual([]);
  });
});
