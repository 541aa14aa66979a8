import { Injectable, Logger } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { networkOf } from '../../platform/network/address.rules.js';

const WINDOW_SECONDS = 60;
const FREE_IN_WINDOW = 30;
const MOST_ADDRESSES = 10_000;
/** The key under which all further addresses are counted when there is no room for more. */
const EVERYBODY_ELSE = 'everybody else';

/** Throttles guessing, by remote address. Credentials are checked before wrong ones are counted, so right ones are always accepted. */
export abstract class GuessLimit {
  private readonly logger: Logger;
  private readonly limiter: RateLimiterAbstract;
  private readonly counted = new Set<string>();
  private windowEndsAtMs = 0;

  /** @param counter name of the counter that replicas share @param guesses what is guessed, in the plural, for the log */
  constructor(
    attempts: RateLimitStore,
    counter: string,
    private readonly guesses: string,
  ) {
    this.logger = new Logger(new.target.name);
    const limits = { points: FREE_IN_WINDOW, durationSeconds: WINDOW_SECONDS, refusesFromMemory: true };
    this.limiter = attempts.open(counter, limits);
  }

  /** Counts a wrong guess. Returns how long this address has to wait, in seconds; 0 = no wait. */
  async record(address: string | undefined, nowMs: number): Promise<number> {
    const network = this.countedAs(address === undefined ? 'an unknown address' : networkOf(address), nowMs);
    try {
      await this.limiter.consume(network);
      return 0;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const isFirst = rejection.consumedPoints === FREE_IN_WINDOW + 1;
      if (isFirst) this.logger.warn(`Many wrong ${this.guesses} from ${network}: it has to wait`);
      return Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
    }
  }

  private countedAs(network: string, nowMs: number): string {
    if (nowMs >= this.windowEndsAtMs) {
      this.counted.clear();
      this.windowEndsAtMs = nowMs + WINDOW_SECONDS * 1000;
    }
    if (!this.counted.has(network) && this.counted.size >= MOST_ADDRESSES) return EVERYBODY_ELSE;
    this.counted.add(network);
    return network;
  }
}

/** Throttles clients that guess keys, by remote address. A right key is always accepted, because it is checked first. */
@Injectable()
export class WrongKeys extends GuessLimit {
  constructor(attempts: RateLimitStore) {
    super(attempts, 'wrong keys', 'API keys');
  }
}
