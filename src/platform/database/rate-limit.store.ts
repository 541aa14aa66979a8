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
  /** Number of attempts allowed within the duration. */
  points: number;
  durationSeconds: number;
  /** True to cache refused keys in memory until the duration ends, so that PostgreSQL is not queried again. */
  refusesFromMemory?: boolean;
}

/** Number of keys that are counted in memory; beyond it, the least recently counted are dropped. */
const MOST_KEYS = 20_000;
/** How long to wait for PostgreSQL to count an attempt. */
const ANSWER_MS = 2_000;
/** Maximum number of concurrent statements, so that a flood of attempts leaves capacity to others. */
const MOST_AT_ONCE = 40;

/** Counts attempts by key: in memory, or in PostgreSQL for all replicas that share it. */
@Injectable()
export class RateLimitStore {
  constructor(private readonly database: Database) {}

  /**
   * Returns a named counter. While PostgreSQL does not respond, it counts in memory: nobody is locked out, and the limit still
   * applies.
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
      // The library's timer does not keep the process alive.
      clearExpiredByTimeout: true,
      ...(refusesFromMemory && { inMemoryBlockOnConsumed: points + 1 }),
    });
    return new RLWrapperTimeouts({ limiter: shared, insuranceLimiter: memory, timeoutMs: ANSWER_MS });
  }
}

class BoundedMemory extends RateLimiterMemory {
  private readonly keys = new Set<string | number>(); // in the order of the last count, oldest first

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

/** Looks like a PostgreSQL client to the limiter. */
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
