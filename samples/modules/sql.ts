// Reads a PostgreSQL database. Needs its URL, with a read-only role, in the secret "sql_database" (page Secrets):
// postgresql://reader:password@host:5432/name. For a second database, copy this file and change the names in it.
import { failure, type FoundRows, type ModuleUses, skill } from 'agent-service/skill';

const DATABASE = 'sql_database';
const LONGEST_VALUE = 2_000;
const uses: ModuleUses = {
  databases: [DATABASE],
  settings: {
    most_rows: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000,
      description: 'How many rows an assistant gets at most.',
      default: 100,
    },
  },
};

const COLUMNS = `select table_schema || '.' || table_name, string_agg(column_name || ' ' || data_type, ', ' order by ordinal_position)
  from information_schema.columns
  where table_schema not in ('pg_catalog', 'information_schema') and ($1::text is null or table_name ilike '%' || $1 || '%')
  group by table_schema, table_name order by table_schema, table_name`;

const shortened = (value: unknown): unknown => {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : '';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)` : value;
};

/** Adds advice to errors: assistants can correct a refused statement; other problems are for the user. */
const found = (query: Promise<FoundRows>) =>
  query.catch(({ message }: Error) => {
    const advice = message.includes('refused the statement') ? 'Look at sql_tables, and try again.' : 'Tell the user.';
    return { problem: failure(`${message}. ${advice}`) };
  });

export default [
  skill<{ words?: string }, { most_rows: number }>({
    name: 'sql_tables',
    title: 'List tables of the database',
    description: 'Use this to see which tables the database of the team has, with their columns, before sql_query.',
    input: {
      type: 'object',
      properties: {
        words: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'Part of the name of a table, such as "order". By default, all.',
        },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    uses,
    async execute({ words }, context) {
      const pattern = words?.replace(/[\\%_]/g, '\\$&') ?? null;
      const got = await found(context.query(DATABASE, COLUMNS, [pattern]));
      if ('problem' in got) return got.problem;
      const tables = got.rows.map(([table, columns]) => ({ table, columns: shortened(columns) }));
      return { tables, truncated: got.isCut };
    },
  }),

  skill<{ sql: string; parameters?: (string | number | boolean | null)[] }, { most_rows: number }>({
    name: 'sql_query',
    title: 'Query the database',
    description:
      'Use this to read from the database of the team with one SELECT of PostgreSQL. It cannot change anything. Look at sql_tables first, and count or group rather than read many rows.',
    input: {
      type: 'object',
      properties: {
        sql: {
          type: 'string',
          minLength: 1,
          maxLength: 10_000,
          description:
            'One SELECT or WITH, such as "select status, count(*) from orders where year = $1 group by status".',
        },
        parameters: {
          type: 'array',
          items: { type: ['string', 'number', 'boolean', 'null'] },
          maxItems: 50,
          description: 'Values of $1, $2 and so on, such as [2026]. By default, none.',
        },
      },
      required: ['sql'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    uses,
    async execute({ sql, parameters = [] }, context) {
      const got = await found(context.query(DATABASE, sql, parameters));
      if ('problem' in got) return got.problem;
      const rows = got.rows.slice(0, context.settings.most_rows).map((row) => row.map(shortened));
      return { columns: got.columns, rows, truncated: got.isCut || got.rows.length > rows.length };
    },
  }),
];
