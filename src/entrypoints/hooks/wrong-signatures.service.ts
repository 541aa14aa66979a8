import { Injectable } from '@nestjs/common';
import { GuessLimit } from '../../access/clients/guess-limit.js';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';

/**
 * Throttles senders of wrong signatures, and of messages to webhooks that do not exist. Messages with a right signature are
 * always accepted.
 */
@Injectable()
export class WrongSignatures extends GuessLimit {
  constructor(attempts: RateLimitStore) {
    super(attempts, 'wrong signatures', 'signatures of webhook messages');
  }
}
