import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { bytesType, dialectOf } from '../../sql/dialect.js';
import type { Embedding } from './embedding.rules.js';

export interface UnembeddedPassage {
  id: number;
  title: string;
  headings: readonly string[];
  content: string;
}

export interface PassageSigns {
  id: number;
  signs: Uint8Array;
  embeddedAt: Date;
}

/**
 * Reads and writes the embeddings of passages: at most one per passage, of the space that was in use when it was made.
 */
@Injectable()
export class VectorStore {
  constructor(private readonly database: Database) {}

  /** Returns how many passages there are, and how many of them have been embedded in a space. */
  async count(space: string): Promise<{ passages: number; embedded: number }> {
    const { passages } = await this.database
      .selectFrom('knowledge_passages')
      .select(({ fn }) => fn.countAll<number>().as('passages'))
      .executeTakeFirstOrThrow();
    const { embedded } = await this.database
      .selectFrom('knowledge_vectors')
      .select(({ fn }) => fn.countAll<number>().as('embedded'))
      .where('space', '=', space)
      .executeTakeFirstOrThrow();
    return { passages, embedded };
  }

  /**
   * Returns passages that are not embedded in the space, the newest first.
   * @param before start below this id; null = at the newest
   */
  async listMissing(space: string, before: number | null, limit: number): Promise<UnembeddedPassage[]> {
    let query = this.database
      .selectFrom('knowledge_passages as passage')
      .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
      .select(['passage.id', 'document.title', 'passage.headings', 'passage.content'])
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('knowledge_vectors as vector')
              .select('vector.passage_id')
              .whereRef('vector.passage_id', '=', 'passage.id')
              .where('vector.space', '=', space),
          ),
        ),
      )
      .orderBy('passage.id', 'desc')
      .limit(limit);
    if (before !== null) query = query.where('passage.id', '<', before);
    const rows = await query.execute();
    return rows.map((row) => ({ ...row, headings: JSON.parse(row.headings) as string[] }));
  }

  /**
   * Saves embeddings, keyed by passage id; null = the passage can't be embedded. Skips passages that no longer exist.
   */
  async save(space: string, embeddings: ReadonlyMap<number, Embedding | null>, at: Date): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const type = sql.raw(bytesType(dialectOf(transaction)));
      for (const [id, embedding] of embeddings) {
        const signs = embedding?.signs ?? NOTHING;
        const vector = embedding ? bytesOf(embedding.values) : NOTHING;
        await sql`
          insert into knowledge_vectors (passage_id, space, embedded_at, signs, vector)
          select id, ${space}, ${at.toISOString()}, cast(${signs} as ${type}), cast(${vector} as ${type})
          from knowledge_passages where id = ${id}
          on conflict (passage_id) do update set space = excluded.space, embedded_at = excluded.embedded_at,
            signs = excluded.signs, vector = excluded.vector`.execute(transaction);
      }
    });
  }

  /**
   * Returns the signs of embeddings made at `since` or later (null = all), the oldest first.
   * @param after the last of the page before
   */
  async listSigns(
    space: string,
    since: Date | null,
    after: PassageSigns | null,
    limit: number,
  ): Promise<PassageSigns[]> {
    let query = this.database
      .selectFrom('knowledge_vectors')
      .select(['passage_id as id', 'signs', 'embedded_at'])
      .where('space', '=', space)
      .orderBy('embedded_at')
      .orderBy('passage_id')
      .limit(limit);
    if (since) query = query.where('embedded_at', '>=', since.toISOString());
    if (after) {
      query = query.where((where) =>
        where(where.refTuple('embedded_at', 'passage_id'), '>', where.tuple(after.embeddedAt.toISOString(), after.id)),
      );
    }
    const rows = await query.execute();
    return rows.map(({ id, signs, embedded_at: at }) => ({ id, signs, embeddedAt: new Date(at) }));
  }

  /** Returns the vectors of these passages, in no particular order; ids without an embedding are left out. */
  async list(space: string, ids: readonly number[]): Promise<{ id: number; values: Int8Array }[]> {
    if (ids.length === 0) return [];
    const rows = await this.database
      .selectFrom('knowledge_vectors')
      .select(['passage_id as id', 'vector'])
      .where('space', '=', space)
      .where('passage_id', 'in', ids)
      .execute();
    return rows.map(({ id, vector }) => ({
      id,
      values: new Int8Array(vector.buffer, vector.byteOffset, vector.length),
    }));
  }
}

const NOTHING = new Uint8Array();

const bytesOf = (values: Int8Array): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.length);
