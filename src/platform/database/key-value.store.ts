import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { dialectOf, sharedTime } from '../sql/dialect.js';
import { Database } from './database.js';
import { insertIfAbsent } from './new-row.table.js';
import { hasEffect } from '../sql/affected-rows.js';

/** Length of an ISO 8601 time, for years with four digits. */
const TIME_LENGTH = 24;

/** A lease taken this far in the future is from before the clock was set back. */
const FUTURE_MS = 60_000;

/** Stores small values that must survive a restart, and leases shared by replicas. */
@Injectable()
export class KeyValueStore {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<string | undefined> {
    const row = await this.database.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst();
    return row?.value;
  }

  async save(name: string, value: string): Promise<void> {
    const row = { value, updated_at: new Date().toISOString() };
    await this.database
      .insertInto('facts')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
  }

  /** Saves a value unless another process has changed it since `before` was read; returns whether it was saved. */
  async replace(name: string, before: string | undefined, value: string): Promise<boolean> {
    const row = { value, updated_at: new Date().toISOString() };
    if (before === undefined) return insertIfAbsent(this.database, 'facts', { name, ...row });
    return hasEffect(this.database.updateTable('facts').set(row).where('name', '=', name).where('value', '=', before));
  }

  /**
   * Takes or extends a lease until `until`; returns false while another owner holds it. Clock skew between replicas does not
   * matter: only the duration of the lease is taken from their clocks.
   * @param owner unique among all processes
   */
  async claim(name: string, owner: string, now: Date, until: Date): Promise<boolean> {
    const dialect = dialectOf(this.database);
    const end = sharedTime(dialect, now, until.getTime() - now.getTime());
    const value = sql<string>`${end} || ${` ${owner}`}`;
    const row = { value, updated_at: sharedTime(dialect, now) };
    return hasEffect(
      this.database
        .insertInto('facts')
        .values({ name, ...row })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(row)
            .where((where) =>
              where.or([
                sql<boolean>`substr(facts.value, 1, ${sql.lit(TIME_LENGTH)}) <= ${sharedTime(dialect, now)}`,
                where('facts.value', 'like', `% ${owner}`),
                where('facts.updated_at', '>', sharedTime(dialect, now, FUTURE_MS)),
              ]),
            ),
        ),
    );
  }
}
