import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { TooManyLogins } from './accounts.errors.js';
import { FailureCount } from './failure-count.js';

const FREE_FAILURES_OF_SENDER_AT_ACCOUNT = 5;
/** For all accounts together. High enough that people who share an address do not lock each other out by mistakes. */
const FREE_FAILURES_OF_SENDER = 30;
/** High enough to spare a person who forgot a password, and to slow down guesses from many addresses. */
const FREE_FAILURES_AT_ACCOUNT = 100;
/** The in-memory counter uses timers, which are limited to 24 days. */
const SENDER_KNOWN_SECONDS = 14 * 24 * 60 * 60;

/** A login, before its password is checked. */
export interface LoginAttempt {
  /** The browser, or the network, that sends it. */
  sender: string;
  /** The named account, which need not exist. */
  account: string;
  /** True when the sender is a browser that has logged in to this account before. */
  isKnown: boolean;
}

/**
 * Throttles password guessing by sender and account, by sender (guesses at many accounts), and by account (guesses from many
 * addresses). Browsers and networks that have logged in to the account before are exempt from the last limit, so that guesses of
 * others do not lock them out.
 */
@Injectable()
export class LoginThrottle {
  private readonly guesses: FailureCount;
  private readonly senders: FailureCount;
  private readonly accounts: FailureCount;
  /** The networks that have logged in to each account. */
  private readonly knownSenders: RateLimiterAbstract;

  constructor(attempts: RateLimitStore) {
    this.guesses = new FailureCount(attempts, 'login', FREE_FAILURES_OF_SENDER_AT_ACCOUNT);
    this.senders = new FailureCount(attempts, 'sender', FREE_FAILURES_OF_SENDER);
    this.accounts = new FailureCount(attempts, 'account', FREE_FAILURES_AT_ACCOUNT);
    this.knownSenders = attempts.open('login known', { points: 1, durationSeconds: SENDER_KNOWN_SECONDS });
  }

  /** Counts an attempt; call it before checking a password. @throws TooManyLogins */
  async begin(attempt: LoginAttempt): Promise<void> {
    const { sender, account } = attempt;
    const waitSeconds = await this.senders.begin(sender);
    if (waitSeconds > 0) throw new TooManyLogins(waitSeconds, 'from here');
    const waitAfterGuessesSeconds = await this.guesses.begin(keyOf(attempt));
    if (waitAfterGuessesSeconds > 0) {
      // A script that repeats an old password must not lock out all others at its address.
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
    // Failures of other senders, and at other accounts, stay counted.
    await this.senders.takeBack(sender);
    if (!(await this.isKnown(attempt))) await this.accounts.excuse(account);
    if (!attempt.isKnown) await this.knownSenders.set(keyOf(attempt), 1, SENDER_KNOWN_SECONDS);
  }

  /** Takes back an attempt whose outcome is unknown. */
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
