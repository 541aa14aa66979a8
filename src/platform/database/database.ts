import { Kysely, type KyselyConfig } from 'kysely';
import type { Tables } from './tables.js';

/** Does work, in a way of its own. */
type Doing = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The open, migrated database; inject this class. */
export class Database extends Kysely<Tables> {
  /**
   * @param readers where long reads go, so that they hold up nobody; null = nowhere else
   * @param withReserve does work with disk space that is kept in reserve, if it is needed; null = none is kept
   */
  constructor(
    config: KyselyConfig,
    private readonly readers: Kysely<Tables> | null = null,
    private readonly withReserve: Doing | null = null,
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

  /** Whether something can be written on a full disk. */
  get hasReserve(): boolean {
    return this.withReserve !== null;
  }

  /** Does what must be possible on a full disk, if space is kept for it: logging in, recording it, and deleting. */
  evenWhenFull<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.withReserve ? this.withReserve(work) : work();
  }

  override async destroy(): Promise<void> {
    await this.readers?.destroy();
    await super.destroy();
  }
}
