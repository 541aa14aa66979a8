import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AdminPassword } from './admin-password.service.js';
import { LoginThrottle } from './login-throttle.service.js';
import { type LoginLane, PasswordQueue } from './password-queue.service.js';

const USER = 'admin';
const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 100;

/** Who presents a password, as far as this is known. */
export interface LoginSender {
  lane: LoginLane;
  /** Failures in the same bucket are counted together. */
  bucket: string;
}

/** Checks the credentials of administrators. Repeated failures of one sender are slowed down. */
@Injectable()
export class AdminCredentials {
  /** Until when a correct header is not checked again (ms since the epoch), by its hash. */
  private readonly verified = new Map<string, number>();
  private readonly verifying = new Map<string, Promise<boolean>>();

  constructor(
    private readonly password: AdminPassword,
    private readonly throttle: LoginThrottle,
    private readonly queue: PasswordQueue,
  ) {}

  /** @throws TooManyLogins, LoginsBusy */
  async isPassword(presented: string, { lane, bucket }: LoginSender): Promise<boolean> {
    // The place in the queue comes first: a login that cannot be checked is not a failed one.
    return this.queue.withPlace(lane, async (inTurn) => {
      await this.throttle.begin(bucket);
      const matches = await inTurn(() => this.password.matches(presented));
      if (matches) await this.throttle.succeeded(bucket);
      return matches;
    });
  }

  /**
   * Returns whether an `Authorization: Basic` header is the administrator's. A correct header is remembered by its hash until
   * it has not been used for some minutes, so that scripts do not pay for the password hash with every request.
   * @throws TooManyLogins, LoginsBusy
   */
  async isBasic(header: string, sender: LoginSender): Promise<boolean> {
    const key = createHash('sha256').update(header).digest('base64');
    if ((this.verified.get(key) ?? 0) > Date.now()) {
      this.remember(key);
      return true;
    }
    // Requests that a script sends at the same time share one check.
    const verifying = this.verifying.get(key) ?? this.verifyBasic(header, sender);
    this.verifying.set(key, verifying);
    try {
      const matches = await verifying;
      if (matches) this.remember(key);
      return matches;
    } finally {
      this.verifying.delete(key);
    }
  }

  private async verifyBasic(header: string, sender: LoginSender): Promise<boolean> {
    const decoded = Buffer.from(header.replace(/^basic +/i, ''), 'base64').toString();
    const colon = decoded.indexOf(':');
    const matches = await this.isPassword(decoded.slice(colon + 1), sender);
    return matches && decoded.slice(0, colon) === USER;
  }

  private remember(key: string): void {
    this.verified.delete(key);
    this.verified.set(key, Date.now() + REMEMBERED_MS);
    const [oldest] = this.verified.keys();
    if (this.verified.size > MOST_REMEMBERED && oldest !== undefined) this.verified.delete(oldest);
  }
}
