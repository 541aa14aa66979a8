import { Injectable } from '@nestjs/common';
import { GuessLimit } from '../../access/clients/guess-limit.js';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';

/** Throttles guessing of the secret in the address of the skills. The right one is always accepted. */
@Injectable()
export class WrongLinks extends GuessLimit {
  constructor(attempts: RateLimitStore) {
    super(attempts, 'wrong skill links', 'addresses of skills');
  }
}
