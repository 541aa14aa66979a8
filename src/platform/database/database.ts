import { Kysely, type KyselyConfig } from 'kysely';
import type { Tables } from './tables.js';

/** The open, migrated database; inject this class. */
export class Database extends Kysely<Tables> {
  /** @param readers where long reads go, so that they hold up nobody; null = nowhere else */
  constructor(
    config: KyselyConfig,
    private readonly readers: Kysely<Tables> | null = null,
  ) {
    super(config);
  }

  /**
   * The same data, for reads that may take long: on SQLite in threads of their own, which see what was committed when a
   * statement began. For single statements only: there are no transactions.
   */
  get longReads(): Kysely<Tables> {
    return this.readers ?? this;
  }

  override async destroy(): Promise<void> {
    await this.readers?.destroy();
    await super.destroy();
  }
}
