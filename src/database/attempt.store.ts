import { Injectable } from '@nestjs/common';
import { CompiledQuery } from 'kysely';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { dialectOf } from '../sql/dialect.js';
import { Database } from './database.js';

export interface AttemptLimits {
  /** Attempts within the duration; one more is refused. */
  points: number;
  durationSeconds: number;
  /** Who is refused is remembered in memory until the duration is over, and PostgreSQL not asked again. */
  refusesFromMemory?: boolean;
}

/** Of all that are counted in memory, those that were counted longest ago are forgotten. */
const MOST_KEYS = 20_000;
/** Longer than that nobody waits for PostgreSQL to count an attempt. */
const ANSWER_MS = 2_000;
/** So that a flood of attempts leaves PostgreSQL to the others. */
const MOST_AT_ONCE = 40;

/** Counts attempts by key: in memory, or where replicas share a PostgreSQL, for all of them together. */
@Injectable()
export class AttemptStore {
  constructor(private readonly database: Database) {}

  /**
   * A count under a name of its own. While PostgreSQL does not answer it goes on in memory, so that nobody is locked out and
   * nobody guesses without limit.
   */
  open(name: string, { points, durationSeconds, refusesFromMemory = false }: AttemptLimits): RateLimiterAbstract {
    const limits = { keyPrefix: name, points, duration: durationSeconds };
    const memory = new BoundedMemory(limits);
    if (dialectOf(this.database) === 'sqlite') return memory;
    const shared = new RateLimiterPostgres({
      ...limits,
      storeClient: new StatementRunner(this.database),
      storeType: 'client',
      tableName: 'attempts',
      tableCreated: true,
      // By a timer that keeps no process alive.
      clearExpiredByTimeout: true,
      ...(refusesFromMemory && { inMemoryBlockOnConsumed: points + 1 }),
    });
    return new RLWrapperTimeouts({ limiter: shared, insuranceLimiter: memory, timeoutMs: ANSWER_MS });
  }
}

class BoundedMemory extends RateLimiterMemory {
  private readonly keys = new Set<string | number>(); // those counted longest ago first

  override consume(key: string | number, ...rest: [number?, object?]): Promise<RateLimiterRes> {
    this.makeRoomFor(key);
    return super.consume(key, ...rest);
  }

  override penalty(key: string | number, ...rest: [number?, object?]): Promise<RateLimiterRes> {
    this.makeRoomFor(key);
    return super.penalty(key, ...rest);
  }

  override set(key: string | number, points: number, durationSeconds: number): Promise<RateLimiterRes> {
    this.makeRoomFor(key);
    return super.set(key, points, durationSeconds);
  }

  private makeRoomFor(key: string | number): void {
    this.keys.delete(key);
    this.keys.add(key);
    const [oldest] = this.keys;
    if (this.keys.size <= MOST_KEYS || oldest === undefined) return;
    this.keys.delete(oldest);
    this.delete(oldest).catch(() => undefined);
  }
}

/** What the limiter takes for a client of PostgreSQL. */
class StatementRunner {
  private running = 0;

  constructor(private readonly database: Database) {}

  async query({ text, values = [] }: { text: string; values?: unknown[] }) {
    if (this.running >= MOST_AT_ONCE) throw new Error('too many attempts at once to ask PostgreSQL about each');
    this.running += 1;
    try {
      const { rows, numAffectedRows } = await this.database.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    } finally {
      this.running -= 1;
    }
  }
}
