import { Kysely, type KyselyConfig } from 'kysely';
import type { Tables } from './tables.js';

/** Runs work in a special way. */
type Doing = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The open, migrated database; inject this class. */
export class Database extends Kysely<Tables> {
  /** Called when it is unknown whether a change was made, because the answer to it was lost. */
  onAnswerLost: () => void = () => undefined;

  /**
   * @param readers for long reads that must not block others; null = none
   * @param withReserve runs work with the reserved disk space if needed; null = no reserve
   */
  constructor(
    config: KyselyConfig,
    private readonly readers: Kysely<Tables> | null = null,
    private readonly withReserve: Doing | null = null,
  ) {
    super(config);
  }

  /**
   * The same data, for reads that may take long: on SQLite in separate threads, which see what was committed when a statement
   * began. For single statements only: it does not support transactions.
   */
  get longReads(): Kysely<Tables> {
    return this.readers ?? this;
  }

  /** True when small writes succeed even on a full disk. */
  get hasReserve(): boolean {
    return this.withReserve !== null;
  }

  /** Runs work that must succeed on a full disk, if space is reserved: logins, their audit entries, and deletions. */
  evenWhenFull<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.withReserve ? this.withReserve(work) : work();
  }

  override async destroy(): Promise<void> {
    await this.readers?.destroy();
    await super.destroy();
  }
}
