import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { Random } from '../fuzz/random.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { containsInLowerCase, dialectOf, endedBy, startsWith } from '../../src/platform/sql/dialect.js';

const CHARACTERS = [..."abB%_\\'é-~", '中', '\u{1f600}', '\u{1f601}', '\uffff', '\u0301'];

describeEachDatabase('conditions', (open) => {
  it('on a prefix find what begins with it, whatever its characters', async () => {
    const database = await open();
    const random = new Random(11);
    const some = () =>
      Array.from({ length: random.integer(1, 5) }, () => CHARACTERS[random.integer(0, CHARACTERS.length)]).join('');
    const names = [...new Set(Array.from({ length: 300 }, some))];
    for (const name of names) await database.insertInto('facts').values({ name, value: '', updated_at: '' }).execute();
    const found = async (prefix: string) =>
      (
        await database
          .selectFrom('facts')
          .select('name')
          .where(startsWith(dialectOf(database), 'name', prefix))
          .execute()
      ).map(({ name }) => name);
    for (const prefix of ['', ...names, ...CHARACTERS]) {
      expect([prefix, (await found(prefix)).sort()]).toEqual([
        prefix,
        names.filter((name) => name.startsWith(prefix)).sort(),
      ]);
    }
  });
});

describeEachDatabase('conditions that ignore the case', (open, dialect) => {
  it.each([
    ['case', true],
    ['ärger', dialect === 'postgres'],
    ['other', false],
  ])('on "Ärger in UPPER CASE" and %s', async (text, isFound) => {
    const database = await open();
    await database.insertInto('facts').values({ name: 'Ärger in UPPER CASE', value: '', updated_at: '' }).execute();
    const found = database
      .selectFrom('facts')
      .select('name')
      .where(containsInLowerCase(dialect, 'name', text))
      .execute();
    expect(await found).toHaveLength(isFound ? 1 : 0);
  });
});

describeEachDatabase('a statement that nobody waits for any more', (open, dialect) => {
  it('fails at once with the reason, is cancelled where that is possible, and its connection serves the next', async () => {
    const database = await open();
    const signal = AbortSignal.timeout(50);
    const long = dialect === 'postgres' ? sql`select pg_sleep(30)` : sql`select 1`;
    const again = async (): Promise<void> => {
      await long.execute(database, endedBy(signal));
      await nextTurn();
      await again(); // on SQLite, until the time limit
    };
    await expect(again()).rejects.toMatchObject({ name: 'TimeoutError' });
    if (dialect === 'postgres') {
      const asleep = sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`;
      const until = async (): Promise<void> => {
        const { rows } = await asleep.execute(database);
        if (Number(rows[0]?.count) > 0) await until();
      };
      await until();
    }
    expect((await sql`select 1 as n`.execute(database)).rows).toEqual([{ n: 1 }]);
  });
});

describeEachDatabase('the order of texts', (open, dialect) => {
  it('is that of their bytes in every column, so that indexes find prefixes', async () => {
    const database = await open();
    const otherwise =
      dialect === 'postgres'
        ? sql<{ name: string }>`select attrelid::regclass || '.' || attname as name from pg_attribute
            join pg_class on pg_class.oid = attrelid
            where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname not like 'kysely%'
            and attnum > 0 and atttypid = 'text'::regtype and attcollation <> '"C"'::regcollation`
        : sql<{ name: string }>`select name from sqlite_master where sql like '%collate%'`;
    expect((await otherwise.execute(database)).rows).toEqual([]);
  });
});
