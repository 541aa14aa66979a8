import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { ReferenceGone } from '../../src/platform/database/database.errors.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import type { DialectName } from '../../src/platform/sql/dialect.js';

/** A value that a column of any type takes, and that no parent has. */
const GONE = sql.lit('-1');

describeEachDatabase('a row whose parent was deleted after it was read', (open, dialect) => {
  it('is refused as a conflict in every table', async () => {
    const database = await open();
    const tables = await database.introspection.getTables();
    const children = await childTables(database, dialect);
    expect(children).toContain('workflow_steps');
    for (const { name, columns } of tables.filter((table) => children.includes(table.name))) {
      const some = columns.filter((column) => !column.isNullable && !column.isAutoIncrementing);
      const names = sql.join(some.map((column) => sql.ref(column.name)));
      const values = sql.join(some.map(() => GONE));
      const insert = sql`insert into ${sql.table(name)} (${names}) values (${values})`.execute(database);
      const refused = await insert.then(
        () => 'saved',
        (error: unknown) => error,
      );
      expect({ name, refused }).toEqual({ name, refused: expect.any(ReferenceGone) as ReferenceGone });
    }
  });
});

/** Lists the tables with a foreign key. */
async function childTables(database: Database, dialect: DialectName): Promise<string[]> {
  const { rows } = await (
    dialect === 'sqlite'
      ? sql<{ name: string }>`select distinct m.name from sqlite_master as m, pragma_foreign_key_list(m.name)`
      : sql<{ name: string }>`select distinct conrelid::regclass::text as name from pg_constraint where contype = 'f'`
  ).execute(database);
  return rows.map(({ name }) => name);
}
