import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AdminPassword } from './admin-password.service.js';
import { LoginThrottle } from './login-throttle.service.js';
import { type LoginLane, PasswordQueue } from './password-queue.service.js';

const USER = 'admin';
const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 100;

/** Who presents a password, as far as that is known. */
export interface LoginSender {
  lane: LoginLane;
  /** Failures of the same bucket add up. */
  bucket: string;
}

/** Checks what an administrator presents. Failures are slowed down by sender. */
@Injectable()
export class AdminCredentials {
  /** Until when a right header needs no check, by its hash. */
  private readonly verified = new Map<string, number>();
  private readonly verifying = new Map<string, Promise<boolean>>();

  constructor(
    private readonly password: AdminPassword,
    private readonly throttle: LoginThrottle,
    private readonly queue: PasswordQueue,
  ) {}

  /** @throws TooManyLogins, LoginsBusy */
  async isPassword(presented: string, { lane, bucket }: LoginSender): Promise<boolean> {
    // A place first: who cannot be served has not failed.
    return this.queue.withPlace(lane, async (inTurn) => {
      await this.throttle.begin(bucket);
      const matches = await inTurn(() => this.password.matches(presented));
      if (matches) await this.throttle.succeeded(bucket);
      return matches;
    });
  }

  /**
   * Whether an `Authorization: Basic` header is the administrator's. What was right is remembered by its hash until it was
   * not used for some minutes, so that a script does not pay the password hash with each request.
   * @throws TooManyLogins, LoginsBusy
   */
  async isBasic(header: string, sender: LoginSender): Promise<boolean> {
    const key = createHash('sha256').update(header).digest('base64');
    if ((this.verified.get(key) ?? 0) > Date.now()) {
      this.remember(key);
      return true;
    }
    // Requests that a script sends at once share one check.
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
