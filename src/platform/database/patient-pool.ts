import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseUnavailable } from './database.errors.js';

export interface Patience {
  /** Maximum number of connections. */
  size: number;
  /** How long callers wait while no working connection is released. */
  patienceMs: number;
  /** Maximum number of waiting callers; more are refused. */
  mostWaiting: number;
  /** Returns whether a released connection is unusable. */
  isBroken: (client: PostgresPoolClient) => boolean;
  /** Returns whether a connection was refused, or not opened in time, because the server may have as many as it accepts. */
  isFull: (error: unknown) => boolean;
}

/** How soon a connection is tried again after the server had no room for it. */
const TRY_AGAIN_MS = 1_000;

/**
 * Lends the connections of a pool first come, first served. Callers wait while connections keep being released, however long the
 * queue is: the pool's own timeout would also reject callers whose turn comes soon. Where the server accepts fewer connections
 * than the pool may have, callers share those that there are.
 */
export class PatientPool implements PostgresPool {
  private free: number;
  private releasedAtMs = -Infinity;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly pool: PostgresPool,
    private readonly patience: Patience,
  ) {
    this.free = patience.size;
  }

  get options() {
    return this.pool.options;
  }

  /** @throws DatabaseUnavailable when no connection is released for too long, or too many callers wait; errors of the pool */
  async connect(): Promise<PostgresPoolClient> {
    const askedAtMs = performance.now();
    if (this.free > 0) this.free -= 1;
    else {
      if (this.waiting.length >= this.patience.mostWaiting) throw allInUse();
      await this.turn(askedAtMs, (begin) => this.waiting.push(begin));
    }
    for (;;) {
      try {
        return this.lend(await this.pool.connect());
      } catch (error) {
        if (!this.patience.isFull(error)) {
          this.passOn();
          throw error;
        }
        setTimeout(() => this.passOn(), TRY_AGAIN_MS).unref();
        await this.turn(askedAtMs, (begin) => this.waiting.unshift(begin)).catch(() => {
          throw error;
        });
      }
    }
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  private lend(client: PostgresPoolClient): PostgresPoolClient {
    const release = client.release.bind(client);
    client.release = (destroy) => {
      // A series of broken connections is no progress.
      if (!this.patience.isBroken(client)) this.releasedAtMs = performance.now();
      release(destroy);
      this.passOn();
    };
    return client;
  }

  private turn(askedAtMs: number, enqueue: (begin: () => void) => void): Promise<void> {
    const { patienceMs } = this.patience;
    return new Promise((resolve, reject) => {
      const begin = () => (clearTimeout(timer), resolve());
      const checkAgain = () => {
        const restMs = Math.max(askedAtMs, this.releasedAtMs) + patienceMs - performance.now();
        if (restMs > 0) return void (timer = setTimeout(checkAgain, restMs));
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(allInUse());
      };
      let timer: NodeJS.Timeout | undefined;
      enqueue(begin);
      checkAgain();
    });
  }

  private passOn(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}

const ALL_IN_USE = 'all connections to PostgreSQL are in use, and none was free in time';

const allInUse = () => new DatabaseUnavailable(ALL_IN_USE, { cause: null, isLasting: false });
