import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { AccountDisabled } from './accounts.errors.js';
import { AdminPassword } from './admin-password.service.js';
import { type AdministratorAccount, ADMINISTRATOR_NAME } from './administrator.js';
import { AdministratorStore } from './administrator.store.js';
import { LoginThrottle } from './login-throttle.service.js';
import { type LoginLane, PasswordQueue } from './password-queue.service.js';

const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 100;

/** The sender of a password, as far as it is known. */
export interface LoginSender {
  lane: LoginLane;
  /** Failures in the same bucket are counted together. */
  bucket: string;
  address: string;
}

/** A correct header, cached. */
interface Remembered {
  name: string;
  stamp: string;
  until: number; // ms since the epoch
}

/** Checks the credentials of administrators. Throttles repeated failures of one sender, or for one account. */
@Injectable()
export class AdminCredentials {
  /** Correct headers by their hash: they are not checked again. */
  private readonly verified = new Map<string, Remembered>();
  private readonly verifying = new Map<string, Promise<AdministratorAccount | null>>();

  constructor(
    private readonly accounts: AdministratorStore,
    private readonly password: AdminPassword,
    private readonly throttle: LoginThrottle,
    private readonly queue: PasswordQueue,
    private readonly events: EventBus,
  ) {}

  /**
   * Returns the account whose name and password are presented; null when they are wrong.
   * @throws TooManyLogins, LoginsBusy, AccountDisabled
   */
  async check(name: string, presented: string, sender: LoginSender): Promise<AdministratorAccount | null> {
    const { lane, bucket, address } = sender;
    const attempt = { sender: bucket, account: countedName(name), isKnown: lane === 'known' };
    // Take the place in the queue first: a login that cannot be checked does not count as failed.
    return this.queue.withPlace(lane, async (inTurn) => {
      const account = await this.find(name);
      await this.throttle.begin(attempt);
      const verify = async (): Promise<boolean> => {
        if (!(await inTurn(() => this.password.matches(account, presented)))) return false;
        if (account?.disabled) throw new AccountDisabled(account.name);
        // The account may have changed while the password was checked.
        return account ? this.accounts.noteLogin(account.name, account.stamp, new Date()) : false;
      };
      // Not a guess: the password was right, but the account is disabled or the database takes no writes.
      const isIn = await verify().catch(async (error: unknown) => {
        await this.throttle.takeBack(attempt);
        throw error;
      });
      if (isIn) await this.throttle.succeeded(attempt);
      this.events.emit(isIn ? 'admin.logged_in' : 'admin.login_failed', { user: attempt.account, address });
      return isIn && account ? account : null;
    });
  }

  /**
   * Returns the account of an `Authorization: Basic` header; null when it is wrong. Caches a correct header by its hash until it
   * has been unused for some minutes, so that scripts do not pay for the password hash with every request. The account is read
   * each time: when it changes, the header is checked again.
   * @throws TooManyLogins, LoginsBusy, AccountDisabled
   */
  async checkBasic(header: string, sender: LoginSender): Promise<AdministratorAccount | null> {
    const key = createHash('sha256').update(header).digest('base64');
    const known = await this.findRemembered(key);
    if (known) return known;
    // Concurrent requests of a script share one check.
    const verifying = this.verifying.get(key) ?? this.verifyBasic(header, sender);
    this.verifying.set(key, verifying);
    try {
      const account = await verifying;
      if (account) this.remember(key, account);
      return account;
    } finally {
      this.verifying.delete(key);
    }
  }

  private async findRemembered(key: string): Promise<AdministratorAccount | null> {
    const remembered = this.verified.get(key);
    if (!remembered || remembered.until <= Date.now()) return null;
    const account = await this.find(remembered.name);
    if (account?.stamp !== remembered.stamp) {
      this.verified.delete(key);
      return null;
    }
    this.remember(key, account);
    return account;
  }

  private async verifyBasic(header: string, sender: LoginSender): Promise<AdministratorAccount | null> {
    const decoded = Buffer.from(header.replace(/^basic +/i, ''), 'base64').toString();
    const colon = decoded.indexOf(':');
    return this.check(decoded.slice(0, Math.max(colon, 0)), decoded.slice(colon + 1), sender);
  }

  private remember(key: string, { name, stamp }: AdministratorAccount): void {
    this.verified.delete(key);
    this.verified.set(key, { name, stamp, until: Date.now() + REMEMBERED_MS });
    const [oldest] = this.verified.keys();
    if (this.verified.size > MOST_REMEMBERED && oldest !== undefined) this.verified.delete(oldest);
  }

  private async find(name: string): Promise<AdministratorAccount | undefined> {
    return ADMINISTRATOR_NAME.test(name) ? this.accounts.find(name) : undefined;
  }
}

/** Returns the name; empty when it is not a valid account name. */
const countedName = (name: string): string => (ADMINISTRATOR_NAME.test(name) ? name : '');
