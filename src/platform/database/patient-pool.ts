import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseUnavailable } from './database.errors.js';

export interface Patience {
  /** How many connections the pool has at most. */
  size: number;
  /** How long others wait while no connection comes back that works. */
  patienceMs: number;
  /** How many wait at once; more are refused. */
  mostWaiting: number;
  /** Returns whether a connection that comes back can't be used again. */
  isBroken: (client: PostgresPoolClient) => boolean;
}

/**
 * Lends the connections of a pool in the order in which they are asked for. Whoever finds all in use waits as long as
 * others come back, however many wait before it: the pool's own limit would also refuse those whose turn comes soon.
 */
export class PatientPool implements PostgresPool {
  private free: number;
  private cameBackAtMs = -Infinity;
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

  /** @throws DatabaseUnavailable when none comes back for too long, or too many wait, and what the pool throws */
  async connect(): Promise<PostgresPoolClient> {
    if (this.free > 0) this.free -= 1;
    else await this.turn();
    try {
      return this.lent(await this.pool.connect());
    } catch (error) {
      this.passOn();
      throw error;
    }
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  private lent(client: PostgresPoolClient): PostgresPoolClient {
    const release = client.release.bind(client);
    client.release = (destroy) => {
      // Connections that break one after the other are no progress.
      if (!this.patience.isBroken(client)) this.cameBackAtMs = performance.now();
      release(destroy);
      this.passOn();
    };
    return client;
  }

  private turn(): Promise<void> {
    const { patienceMs, mostWaiting } = this.patience;
    if (this.waiting.length >= mostWaiting) return Promise.reject(allInUse());
    const askedAtMs = performance.now();
    return new Promise((resolve, reject) => {
      const begin = () => (clearTimeout(timer), resolve());
      const lookAgain = () => {
        const restMs = Math.max(askedAtMs, this.cameBackAtMs) + patienceMs - performance.now();
        if (restMs > 0) return void (timer = setTimeout(lookAgain, restMs));
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(allInUse());
      };
      let timer = setTimeout(lookAgain, patienceMs);
      this.waiting.push(begin);
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
