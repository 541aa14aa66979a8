import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { BudgetReached } from '../models/llm.errors.js';
import { type MonthlyLimits, type Reserved, TokenUsageStore } from './token-usage.store.js';
import { monthOf, nextMonth } from '../models/tokens.rules.js';

const LIMITS = { own: 'llm.monthly_tokens', total: 'llm.monthly_tokens_total' } as const;

const MOST_REPORTED = 100;
const EVERY_MS = 60 * 60_000;
/** The previous month is kept, too: another replica's clock may be behind. */
const KEPT_MS = 31 * 24 * 60 * 60_000;

export interface TokenReport {
  limits: MonthlyLimits;
  /** By all principals together. */
  used: number;
  /** The 100 principals with the highest usage, highest first. */
  clients: { principal: string; tokens: number }[];
}

/**
 * Keeps the token usage of language models within monthly limits. The tokens that a request may use are reserved before it is
 * sent. If the process dies before the reservation is settled, it counts as used.
 */
@Injectable()
export class TokenBudget extends PeriodicWork {
  constructor(
    private readonly store: TokenUsageStore,
    private readonly settings: SettingsService,
  ) {
    super(EVERY_MS);
  }

  /** Deletes the counts of months that are over. */
  tick(now: Date): Promise<void> {
    return this.store.deleteBefore(monthOf(new Date(now.getTime() - KEPT_MS)));
  }

  /** @throws BudgetReached */
  async reserve(principal: string, tokens: number): Promise<Reserved> {
    const now = new Date();
    const reserved = { month: monthOf(now), principal, tokens };
    const limits = this.limits();
    const refused = await this.store.reserve(reserved, limits);
    if (refused === null) return reserved;
    const { scope, used } = refused;
    const state = { setting: LIMITS[scope], limit: limits[scope], used, needed: tokens, resetsAt: nextMonth(now) };
    throw new BudgetReached(state);
  }

  /** Returns the used and reserved tokens in this month. */
  async report(): Promise<TokenReport> {
    const month = monthOf(new Date());
    return {
      limits: this.limits(),
      used: await this.store.used(month),
      clients: await this.store.listMost(month, MOST_REPORTED),
    };
  }

  private limits(): MonthlyLimits {
    return { own: this.settings.get('llm.monthly_tokens'), total: this.settings.get('llm.monthly_tokens_total') };
  }

  /** Counts the actual usage. Never throws: an answer that is paid for must not be lost because of its count. */
  async settle(reserved: Reserved, used: number): Promise<void> {
    try {
      await this.store.settle(reserved, used);
    } catch (error) {
      const { principal, tokens } = reserved;
      this.logger.warn({ err: error, principal, tokens, used }, 'What was reserved of a budget counts as used');
    }
  }
}
