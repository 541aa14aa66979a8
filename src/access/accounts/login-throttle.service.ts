import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { TooManyLogins } from './accounts.errors.js';
import { FailureCount } from './failure-count.js';

const FREE_FAILURES_OF_SENDER_AT_ACCOUNT = 5;
/** At all accounts together: so many that people who share an address are not kept out by the mistakes of each other. */
const FREE_FAILURES_OF_SENDER = 30;
/** So many that somebody who guesses from many addresses is slowed down, and a person who forgot a password is not. */
const FREE_FAILURES_AT_ACCOUNT = 100;
/** Timers, which the counter in memory uses, take no more than 24 days. */
const SENDER_KNOWN_SECONDS = 14 * 24 * 60 * 60;

/** A login, before it is known whether the password is right. */
export interface LoginAttempt {
  /** The browser, or the network, that sends it. */
  sender: string;
  /** The account that it names, which need not exist. */
  account: string;
  /** Whether the sender is a browser that has logged in to this account before. */
  isKnown: boolean;
}

/**
 * Slows down who guesses passwords: by sender and account, by sender for those who guess at many accounts, and by account for
 * those who guess from many addresses. Browsers and networks that logged in to the account before are spared the latter, so
 * that guesses of others do not keep them out.
 */
@Injectable()
export class LoginThrottle {
  private readonly guesses: FailureCount;
  private readonly senders: FailureCount;
  private readonly accounts: FailureCount;
  /** Which networks have logged in to which account. */
  private readonly knownSenders: RateLimiterAbstract;

  constructor(attempts: RateLimitStore) {
    this.guesses = new FailureCount(attempts, 'login', FREE_FAILURES_OF_SENDER_AT_ACCOUNT);
    this.senders = new FailureCount(attempts, 'sender', FREE_FAILURES_OF_SENDER);
    this.accounts = new FailureCount(attempts, 'account', FREE_FAILURES_AT_ACCOUNT);
    this.knownSenders = attempts.open('login known', { points: 1, durationSeconds: SENDER_KNOWN_SECONDS });
  }

  /** Counts an attempt; to be called before a password is checked. @throws TooManyLogins */
  async begin(attempt: LoginAttempt): Promise<void> {
    const { sender, account } = attempt;
    const waitSeconds = await this.senders.begin(sender);
    if (waitSeconds > 0) throw new TooManyLogins(waitSeconds, 'from here');
    const waitAfterGuessesSeconds = await this.guesses.begin(keyOf(attempt));
    if (waitAfterGuessesSeconds > 0) {
      // A script that repeats an old password does not keep out all others at its address.
      await this.senders.takeBack(sender);
      throw new TooManyLogins(waitAfterGuessesSeconds, 'from here');
    }
    if (await this.isKnown(attempt)) return;
    const waitAtAccountSeconds = await this.accounts.begin(account);
    if (waitAtAccountSeconds > 0) throw new TooManyLogins(waitAtAccountSeconds, 'of this account');
  }

  async succeeded(attempt: LoginAttempt): Promise<void> {
    const { sender, account } = attempt;
    await this.guesses.forget(keyOf(attempt));
    // The failures of others, and at other accounts, stay counted.
    await this.senders.takeBack(sender);
    if (!(await this.isKnown(attempt))) await this.accounts.excuse(account);
    if (!attempt.isKnown) await this.knownSenders.set(keyOf(attempt), 1, SENDER_KNOWN_SECONDS);
  }

  /** Takes back an attempt of which nobody knows whether it failed. */
  async takeBack(attempt: LoginAttempt): Promise<void> {
    await this.guesses.takeBack(keyOf(attempt));
    await this.senders.takeBack(attempt.sender);
    if (!(await this.isKnown(attempt))) await this.accounts.takeBack(attempt.account);
  }

  private async isKnown(attempt: LoginAttempt): Promise<boolean> {
    if (attempt.isKnown) return true;
    const known = await this.knownSenders.get(keyOf(attempt));
    return known !== null && known.msBeforeNext > 0;
  }
}

const keyOf = ({ sender, account }: LoginAttempt): string => `${account} ${sender}`;
