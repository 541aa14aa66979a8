import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AdminPassword } from './admin-password.service.js';
import { LoginThrottle } from './login-throttle.service.js';

const USER = 'admin';
const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 100;

interface Verification {
  result: Promise<boolean>;
  until: number;
}

/** Checks what an administrator presents. Failures are slowed down by address. */
@Injectable()
export class AdminCredentials {
  private readonly verified = new Map<string, Verification>();

  constructor(
    private readonly password: AdminPassword,
    private readonly throttle: LoginThrottle,
  ) {}

  /** @throws TooManyLogins */
  async isPassword(presented: string, address: string): Promise<boolean> {
    this.throttle.begin(address, Date.now());
    const matches = await this.password.matches(presented);
    if (matches) this.throttle.succeeded(address);
    return matches;
  }

  /**
   * Whether an `Authorization: Basic` header is the administrator's. What was right is remembered for some minutes, by its
   * hash, so that a script does not pay the password hash with each request. @throws TooManyLogins
   */
  async isBasic(header: string, address: string): Promise<boolean> {
    const key = createHash('sha256').update(header).digest('base64');
    const known = this.verified.get(key);
    if (known && known.until > Date.now()) return known.result;
    const result = this.verifyBasic(header, address);
    this.remember(key, result);
    try {
      const matches = await result;
      if (!matches) this.verified.delete(key);
      return matches;
    } catch (error) {
      this.verified.delete(key);
      throw error;
    }
  }

  private async verifyBasic(header: string, address: string): Promise<boolean> {
    const decoded = Buffer.from(header.replace(/^basic +/i, ''), 'base64').toString();
    const colon = decoded.indexOf(':');
    const matches = await this.isPassword(decoded.slice(colon + 1), address);
    return matches && decoded.slice(0, colon) === USER;
  }

  // Remembered while it is verified, too: requests that a script sends at once share one verification.
  private remember(key: string, result: Promise<boolean>): void {
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MOST_REMEMBERED && oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(key, { result, until: Date.now() + REMEMBERED_MS });
  }
}
