import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import { hasEffect } from '../../../platform/sql/affected-rows.js';

/** No client can have this name. */
const ALL = '*';

export interface Reserved {
  /** For example 2026-07. */
  month: string;
  principal: string;
  tokens: number;
}

/** Tokens per month; 0 = no limit. */
export interface MonthlyLimits {
  own: number;
  total: number;
}

/** The limit that leaves too little, and its usage. */
export interface Refused {
  scope: keyof MonthlyLimits;
  used: number;
}

/** Counts tokens by principal and month, for all replicas. */
@Injectable()
export class TokenUsageStore {
  constructor(private readonly database: Database) {}

  /** Adds tokens to the usage. If a limit leaves too little, changes nothing and returns the limit. */
  async reserve({ month, principal, tokens }: Reserved, { own, total }: MonthlyLimits): Promise<Refused | null> {
    const counts = [
      { scope: 'own', principal, limit: own },
      { scope: 'total', principal: ALL, limit: total },
    ] as const;
    try {
      // Same order in every transaction, to prevent deadlocks.
      await this.database.transaction().execute(async (transaction) => {
        for (const { scope, limit, ...row } of counts) {
          const isTaken = await add(transaction, { month, principal: row.principal, tokens }, limit);
          if (!isTaken) throw new TooLittleLeft({ scope, used: await usedBy(transaction, month, row.principal) });
        }
      });
      return null;
    } catch (error) {
      if (error instanceof TooLittleLeft) return error.refused;
      throw error;
    }
  }

  async settle({ month, principal, tokens }: Reserved, used: number): Promise<void> {
    if (used === tokens) return;
    await this.database.transaction().execute(async (transaction) => {
      for (const one of [principal, ALL]) {
        await transaction
          .updateTable('llm_usage')
          .set((row) => ({ tokens: row('tokens', '+', used - tokens) }))
          .where('month', '=', month)
          .where('principal', '=', one)
          .execute();
      }
    });
  }

  /** Deletes the counts of the months before one. */
  async deleteBefore(month: string): Promise<void> {
    await this.database.deleteFrom('llm_usage').where('month', '<', month).execute();
  }

  /** Returns the principals that have used or reserved most in a month, with their tokens, highest first. */
  async listMost(month: string, limit: number): Promise<Omit<Reserved, 'month'>[]> {
    const rows = await this.database
      .selectFrom('llm_usage')
      .select(['principal', 'tokens'])
      .where('month', '=', month)
      .where('principal', '!=', ALL)
      .where('tokens', '>', 0)
      .orderBy('tokens', 'desc')
      .orderBy('principal')
      .limit(limit)
      .execute();
    return rows.map(({ principal, tokens }) => ({ principal, tokens: Number(tokens) }));
  }

  /** Returns the used and reserved tokens of a principal in a month; by default, of all. */
  used(month: string, principal: string = ALL): Promise<number> {
    return usedBy(this.database, month, principal);
  }
}

/** Rolls a reservation back. */
class TooLittleLeft extends Error {
  constructor(readonly refused: Refused) {
    super('too few tokens are left');
  }
}

/** Compares and adds in one statement, because others may add concurrently. Returns whether the limit leaves enough. */
async function add(transaction: Transaction<Tables>, row: Reserved, limit: number): Promise<boolean> {
  if (limit > 0 && row.tokens > limit) return false;
  return hasEffect(
    transaction
      .insertInto('llm_usage')
      .values(row)
      .onConflict((conflict) => {
        const update = conflict
          .columns(['month', 'principal'])
          .doUpdateSet((known) => ({ tokens: known('llm_usage.tokens', '+', row.tokens) }));
        return limit === 0 ? update : update.where('llm_usage.tokens', '<=', limit - row.tokens);
      }),
  );
}

async function usedBy(database: Pick<Database, 'selectFrom'>, month: string, principal: string): Promise<number> {
  const row = await database
    .selectFrom('llm_usage')
    .select('tokens')
    .where('month', '=', month)
    .where('principal', '=', principal)
    .executeTakeFirst();
  return Number(row?.tokens ?? 0);
}
