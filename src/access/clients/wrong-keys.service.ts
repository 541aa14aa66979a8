import { Injectable } from '@nestjs/common';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { GuessLimit } from './guess-limit.js';

/** Slows down clients that guess keys, by remote address. A right key always gets in, because it is checked first. */
@Injectable()
export class WrongKeys extends GuessLimit {
  constructor(attempts: RateLimitStore) {
    super(attempts, 'wrong keys', 'API keys');
  }
}
