import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { PeriodicWork } from '../periodic/periodic-work.js';
import { dialectOf } from '../sql/dialect.js';
import { Database } from './database.js';

const EVERY_MS = 60_000;
/** Minimum number of free pages kept for future writes: 8 MB. */
const KEPT_PAGES = 4_000;
/** The fraction of all pages that may stay free. */
const KEPT_SHARE = 0.1;
/** Pages moved at once, which takes some milliseconds in a large database: other work runs in between. */
const PAGES_AT_ONCE = 50;

/**
 * Returns the disk space of deleted rows in the embedded database (https://sqlite.org/pragma.html, auto_vacuum). PostgreSQL does
 * so itself.
 */
@Injectable()
export class DatabaseTrimming extends PeriodicWork {
  private isStopping = false;

  constructor(private readonly database: Database) {
    super(EVERY_MS);
  }

  async tick(): Promise<void> {
    if (dialectOf(this.database) !== 'sqlite') return;
    for (let spare = await this.sparePages(); spare > 0 && !this.isStopping; spare = await this.sparePages()) {
      await sql`pragma incremental_vacuum(${sql.lit(Math.min(spare, PAGES_AT_ONCE))})`.execute(this.database);
      await nextTurn();
    }
  }

  override onApplicationShutdown(): void | Promise<void> {
    this.isStopping = true;
    return super.onApplicationShutdown();
  }

  /** Returns the number of free pages beyond those that are kept. */
  private async sparePages(): Promise<number> {
    const { rows } = await sql<{ free: number; pages: number }>`
      select freelist_count as free, page_count as pages from pragma_freelist_count, pragma_page_count`.execute(
      this.database,
    );
    const { free = 0, pages = 0 } = rows[0] ?? {};
    return free - Math.ceil(Math.max(KEPT_PAGES, pages * KEPT_SHARE));
  }
}
