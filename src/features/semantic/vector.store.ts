import { Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { bytesType, dialectOf, sharedUnlessLocked } from '../../platform/sql/dialect.js';
import type { Tables as DatabaseTables } from '../../platform/database/tables.js';
import type { Collection, ItemText } from './collection.js';
import type { Embedding } from './models/embedding.rules.js';

type Tables = Pick<Collection, 'tables'>;

export interface EmbeddedItem extends Omit<ItemText, 'text'> {
  embedding: Embedding | null; // null = the item cannot be embedded
}

export interface ItemSigns {
  id: number;
  signs: Uint8Array;
  /** The number of the batch with which it was saved. */
  batch: number;
}

export interface ItemVector {
  id: number;
  values: Int8Array;
}

export interface MissingPage {
  ids: number[];
  /** The `before` of the next page; null = last page. */
  next: number | null;
}

/** Items per statement, so that statements stay short regardless of the total number. */
const MOST_SCANNED = 2_000;
const DELETED_AT_ONCE = 500;
/** The key of the number of the last batch. */
const LAST_BATCH = 'semantic.batch';

/** Reads and writes the embeddings of items: at most one per item, of the space that was current when it was made. */
@Injectable()
export class VectorStore {
  constructor(private readonly database: Database) {}

  /** Returns the number of items in a collection, and of those that are embedded in a space. */
  async count({ tables }: Tables, space: string): Promise<{ items: number; embedded: number }> {
    const items = sql`select count(*) from ${sql.table(tables.items)}`;
    const embedded = sql`select count(*) from ${sql.table(tables.vectors)} where space = ${space}`;
    const { rows } = await sql<{
      items: number | string;
      embedded: number | string;
    }>`select (${items}) as items, (${embedded}) as embedded`.execute(this.database.longReads);
    return { items: Number(rows[0]?.items ?? 0), embedded: Number(rows[0]?.embedded ?? 0) };
  }

  /**
   * Returns the ids of items that are not embedded in the space, newest first; checks only some of the items per call.
   * @param before start below this id; null = at the newest
   */
  async listMissing({ tables }: Tables, space: string, before: number | null, limit: number): Promise<MissingPage> {
    const below = before === null ? sql`` : sql`where id < ${before}`;
    const { rows } = await sql<{ id: number; missing: number }>`
      select item.id, case when vector.space = ${space} then 0 else 1 end as missing
      from (select id from ${sql.table(tables.items)} ${below} order by id desc limit ${MOST_SCANNED}) as item
      left join ${sql.table(tables.vectors)} as vector on ${sql.ref(`vector.${tables.item}`)} = item.id
      order by item.id desc`.execute(this.database.longReads);
    const missing = rows.filter((row) => Number(row.missing) === 1).map(({ id }) => id);
    const ids = missing.slice(0, limit);
    const last = missing.length > limit ? ids.at(-1) : rows.at(-1)?.id;
    const isLast = rows.length < MOST_SCANNED && missing.length <= limit;
    return { ids, next: isLast ? null : (last ?? null) };
  }

  /** Saves embeddings; returns their number. Skips items that no longer exist, or whose text has changed since it was read. */
  save({ tables }: Tables, space: string, embedded: readonly EmbeddedItem[]): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const dialect = dialectOf(transaction);
      const type = sql.raw(bytesType(dialect));
      const batch = await nextBatch(transaction);
      let saved = 0;
      for (const { id, revision, embedding } of embedded) {
        const signs = embedding?.signs ?? NOTHING;
        const vector = embedding ? bytesOf(embedding.values) : NOTHING;
        const { numAffectedRows = 0n } = await sql`
          insert into ${sql.table(tables.vectors)} (${sql.ref(tables.item)}, space, batch, signs, vector)
          select id, ${space}, cast(${batch} as bigint), cast(${signs} as ${type}), cast(${vector} as ${type})
          from (select id from ${sql.table(tables.items)} where id = ${id} ${unchanged(tables.revision, revision)}
            ${sharedUnlessLocked(dialect)}) as item where true
          on conflict (${sql.ref(tables.item)}) do update set space = excluded.space,
            batch = excluded.batch, signs = excluded.signs, vector = excluded.vector`.execute(transaction);
        saved += Number(numAffectedRows);
      }
      return saved;
    });
  }

  /**
   * Deletes some of the vectors of a space that have another number of dimensions, oldest first; returns their number. Zero =
   * none left.
   */
  async deleteOthers({ tables }: Tables, space: string, dimensions: number, limit = DELETED_AT_ONCE): Promise<number> {
    const [table, item] = [sql.table(tables.vectors), sql.ref(tables.item)];
    const { rows } = await sql<{ id: number; dimensions: number }>`
      select ${item} as id, length(vector) as dimensions from ${table}
      where space = ${space} and length(vector) > 0
      order by batch, ${item} limit ${limit}`.execute(this.database);
    const others = rows.filter((row) => Number(row.dimensions) !== dimensions);
    if (others.length === 0) return 0;
    const ids = sql.join(others.map(({ id }) => id));
    await sql`delete from ${table} where space = ${space} and ${item} in (${ids})`.execute(this.database);
    return others.length;
  }

  /**
   * Returns the signs of embeddings of the batches after `since` (null = all), oldest first.
   * @param after the last item of the previous page
   */
  async listSigns(
    { tables }: Tables,
    space: string,
    { since, after, limit }: { since: number | null; after: ItemSigns | null; limit: number },
  ): Promise<ItemSigns[]> {
    const item = sql.ref(tables.item);
    const from = since === null ? sql`` : sql`and batch > ${since}`;
    const next = after ? sql`and (batch, ${item}) > (${after.batch}, ${after.id})` : sql``;
    const { rows } = await sql<{ id: number; signs: Uint8Array; batch: number | string }>`
      select ${item} as id, signs, batch from ${sql.table(tables.vectors)}
      where space = ${space} ${from} ${next}
      order by batch, ${item} limit ${limit}`.execute(this.database.longReads);
    return rows.map(({ id, signs, batch }) => ({ id, signs, batch: Number(batch) }));
  }

  /** Returns the vectors of these items, in no particular order; ids without an embedding are left out. */
  async list({ tables }: Tables, space: string, ids: readonly number[]): Promise<ItemVector[]> {
    if (ids.length === 0) return [];
    const item = sql.ref(tables.item);
    const { rows } = await sql<{ id: number; vector: Uint8Array }>`
      select ${item} as id, vector from ${sql.table(tables.vectors)}
      where space = ${space} and ${item} in (${sql.join(ids)})`.execute(this.database.longReads);
    return rows.map(({ id, vector }) => ({
      id,
      values: new Int8Array(vector.buffer, vector.byteOffset, vector.length),
    }));
  }
}

/**
 * Returns the number of a new batch. The next batch waits until this transaction has ended, so that batches become visible in
 * order.
 */
async function nextBatch(transaction: Kysely<DatabaseTables>): Promise<number> {
  const updated_at = new Date().toISOString();
  const { value } = await transaction
    .insertInto('facts')
    .values({ name: LAST_BATCH, value: '1', updated_at })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql`cast(cast(facts.value as bigint) + 1 as text)`, updated_at }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(value);
}

const NOTHING = new Uint8Array();

const unchanged = (column: string | null, revision: number | null): RawBuilder<unknown> =>
  column === null ? sql`` : sql`and ${sql.ref(column)} = ${revision}`;

const bytesOf = (values: Int8Array): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.length);
