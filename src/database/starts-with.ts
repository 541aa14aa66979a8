import { type RawBuilder, sql } from 'kysely';

/** Whether a column's text begins with a prefix, in which no character is a wildcard. */
export const startsWith = (column: string, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`substr(${sql.ref(column)}, 1, ${prefix.length}) = ${prefix}`;
