import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { CallCountTable } from '../../platform/database/access-tables.js';
import type { Tables } from '../../platform/database/tables.js';
import { addCounts, COUNTED_OF, type CallCount, type CountedOf, countKey, type CountSpan } from './call-count.rules.js';
import type { Latency } from './latency.rules.js';

export interface CountsQuery {
  span: CountSpan;
  of: CountedOf;
  /** Name of the tool or client; by default all. */
  name?: string;
  /** Only spans that begin at this time or later. */
  from: Date;
}

/** How often a skill package was used. */
export interface SkillUses {
  name: string;
  uses: number;
  /** Start of the hour in which it was last used. */
  lastHour: Date;
}

const ROWS_AT_ONCE = 200;

@Injectable()
export class CallCountStore {
  constructor(private readonly database: Database) {}

  async list({ span, of, name, from }: CountsQuery): Promise<CallCount[]> {
    let query = this.database.longReads
      .selectFrom('call_counts')
      .selectAll()
      .where('span', '=', span)
      .where('of', '=', of)
      .where('at', '>=', from.toISOString());
    if (name !== undefined) query = query.where('name', '=', name);
    return (await query.execute()).map(toCount);
  }

  /** Returns the number of calls since an hour, by name and outcome. */
  async sum({ of, from }: Pick<CountsQuery, 'of' | 'from'>): Promise<Pick<CallCount, 'name' | 'outcome' | 'calls'>[]> {
    const rows = await this.database.longReads
      .selectFrom('call_counts')
      .select(({ fn }) => ['name', 'outcome', fn.sum<number>('calls').as('calls')])
      .where('span', '=', 'hour')
      .where('of', '=', of)
      .where('at', '>=', from.toISOString())
      .groupBy(['name', 'outcome'])
      .execute();
    return rows.map(({ calls, ...row }) => ({ ...row, calls: Number(calls) }));
  }

  /** Returns how often each skill was used from one hour until before another; without unused skills. */
  async sumUses({ from, to, name }: { from: Date; to: Date; name?: string }): Promise<SkillUses[]> {
    let query = this.database.longReads
      .selectFrom('call_counts')
      .select(({ fn }) => ['name', fn.sum<number>('calls').as('uses'), fn.max('at').as('last')])
      .where('span', '=', 'hour')
      .where('of', '=', 'skill')
      .where('at', '>=', from.toISOString())
      .where('at', '<', to.toISOString());
    if (name !== undefined) query = query.where('name', '=', name);
    const rows = await query.groupBy('name').execute();
    return rows.map(({ name, uses, last }) => ({ name, uses: Number(uses), lastHour: new Date(last) }));
  }

  /**
   * Deletes counts of spans that began before a time, oldest first: `limit` at most, plus the rest of the last span. Returns
   * whether more are left.
   */
  async deleteBefore(span: CountSpan, before: Date, limit: number): Promise<boolean> {
    const next = await this.database
      .selectFrom('call_counts')
      .select('at')
      .where('span', '=', span)
      .where('at', '<', before.toISOString())
      .orderBy('at')
      .offset(limit)
      .limit(1)
      .executeTakeFirst();
    await this.database
      .deleteFrom('call_counts')
      .where('span', '=', span)
      .where('at', next ? '<=' : '<', next?.at ?? before.toISOString())
      .execute();
    return next !== undefined;
  }
}

/** Adds counts to the stored ones. Call it only while no other transaction does so: it reads counts and writes them back. */
export async function addToCounts(transaction: Transaction<Tables>, all: readonly CallCount[]): Promise<void> {
  if (all.length === 0) return;
  const counts = new Map(all.map((count) => [countKey(count), count]));
  const known = await transaction
    .selectFrom('call_counts')
    .selectAll()
    .where('span', 'in', ['minute', 'hour'])
    .where('of', 'in', COUNTED_OF)
    .where('name', 'in', [...new Set(all.map(({ name }) => name))])
    .where('at', 'in', [...new Set(all.map(({ at }) => at))])
    .execute();
  for (const row of known) {
    const count = toCount(row);
    const added = counts.get(countKey(count));
    if (added) counts.set(countKey(count), addCounts(count, added));
  }
  const rows = [...counts.values()].map((count) => ({ ...count, latency: JSON.stringify(count.latency) }));
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    await transaction
      .insertInto('call_counts')
      .values(rows.slice(first, first + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['span', 'of', 'name', 'at', 'outcome']).doUpdateSet((set) => ({
          calls: set.ref('excluded.calls'),
          latency: set.ref('excluded.latency'),
        })),
      )
      .execute();
  }
}

const toCount = ({ span, at, of, name, outcome, calls, latency }: CallCountTable): CallCount => ({
  span: span as CountSpan,
  at,
  of: of as CountedOf,
  name,
  outcome,
  calls: Number(calls),
  latency: JSON.parse(latency) as Latency,
});
