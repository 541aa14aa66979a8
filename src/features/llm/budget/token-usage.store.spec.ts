import { Random } from '../../../../test/fuzz/random.js';
import { seedFrom } from '../../../../test/support/seed.js';
import { describeEachDatabase } from '../../../platform/database/testing.js';
import { type MonthlyLimits, TokenUsageStore } from './token-usage.store.js';
import { estimatedTokens, monthOf, nextMonth } from '../models/tokens.rules.js';

const NO_LIMITS = { own: 0, total: 0 };
const MONTH = '2026-07';

describeEachDatabase('the count of tokens', (open) => {
  it('reserves what fits into both limits, and nothing of what does not', async () => {
    const store = new TokenUsageStore(await open());
    const limits = { own: 100, total: 150 };
    const reserve = (principal: string, tokens: number) => store.reserve({ month: MONTH, principal, tokens }, limits);
    expect(await reserve('ada', 100)).toBeNull();
    expect(await reserve('ada', 1)).toEqual({ scope: 'own', used: 100 });
    expect(await reserve('bob', 51)).toEqual({ scope: 'total', used: 100 });
    expect([await store.used(MONTH, 'bob'), await store.used(MONTH)]).toEqual([0, 100]);
    expect(await reserve('bob', 101)).toEqual({ scope: 'own', used: 0 });
    expect(await reserve('bob', 50)).toBeNull();
    expect(await store.reserve({ month: '2026-08', principal: 'ada', tokens: 100 }, limits)).toBeNull();
  });

  it('is forgotten of months that are over', async () => {
    const store = new TokenUsageStore(await open());
    const months = ['2025-12', '2026-05', '2026-06', '2026-07'];
    for (const month of months) await store.reserve({ month, principal: 'ada', tokens: 10 }, NO_LIMITS);
    await store.deleteBefore('2026-06');
    expect(await Promise.all(months.map((month) => store.used(month)))).toEqual([0, 0, 10, 10]);
    const late = { month: '2026-05', principal: 'ada', tokens: 10 };
    await store.settle(late, 7);
    expect(await store.listMost('2026-05', 9)).toEqual([]);
  });

  it('never goes over a limit, however many replicas count at once', async () => {
    const database = await open();
    const replicas = [new TokenUsageStore(database), new TokenUsageStore(database)] as const;
    const limits = { own: 300, total: 500 };
    const tries = Array.from({ length: 120 }, (_, n) => ({ month: MONTH, principal: `c${n % 3}`, tokens: 10 }));
    const results = await Promise.all(tries.map((one, n) => replicas[n % 2 === 0 ? 0 : 1].reserve(one, limits)));
    expect(results.filter((refused) => refused === null)).toHaveLength(50);
    expect(await replicas[0].used(MONTH)).toBe(500);
  });

  it('is that of a model, whatever is reserved, settled, forgotten by a kill, and refused', async () => {
    const random = new Random(seedFrom('TOKENS_SEED'));
    const database = await open();
    const model = new Map<string, number>();
    const pending: { month: string; principal: string; tokens: number }[] = [];
    for (let turn = 0; turn < 300; turn += 1) {
      const store = new TokenUsageStore(database); // as after a restart
      const one = {
        month: random.pick([MONTH, '2026-08']),
        principal: random.pick(['ada', 'bob']),
        tokens: random.integer(0, 50),
      };
      const [own, total] = [`${one.month} ${one.principal}`, one.month];
      const add = (tokens: number, { month, principal } = one) => {
        for (const key of [`${month} ${principal}`, month]) model.set(key, (model.get(key) ?? 0) + tokens);
      };
      const settled = random.chance(0.4) ? pending.splice(random.integer(0, pending.length), 1)[0] : undefined;
      if (settled) {
        const used = random.integer(0, 70);
        await store.settle(settled, used);
        add(used - settled.tokens, settled);
      } else {
        const limits: MonthlyLimits = random.pick([NO_LIMITS, { own: 400, total: 700 }, { own: 0, total: 500 }]);
        const fits = (key: string, limit: number) => limit === 0 || (model.get(key) ?? 0) + one.tokens <= limit;
        const expected = fits(own, limits.own) ? (fits(total, limits.total) ? null : 'total') : 'own';
        const refused = await store.reserve(one, limits);
        expect(refused?.scope ?? null).toBe(expected);
        if (refused === null) {
          add(one.tokens);
          if (random.chance(0.9)) pending.push(one);
        }
      }
      expect(await store.used(one.month, one.principal)).toBe(model.get(own) ?? 0);
      expect(await store.used(one.month)).toBe(model.get(total) ?? 0);
      const listed = ['ada', 'bob']
        .map((principal) => ({ principal, tokens: model.get(`${one.month} ${principal}`) ?? 0 }))
        .filter(({ tokens }) => tokens > 0)
        .sort((a, b) => b.tokens - a.tokens);
      expect(await store.listMost(one.month, 2)).toEqual(listed);
      expect(await store.listMost(one.month, 1)).toEqual(listed.slice(0, 1));
    }
  });
});

describe('tokens', () => {
  it('are estimated rather too high, in any script', () => {
    expect(estimatedTokens('')).toBe(8);
    expect(estimatedTokens('four', 'characters')).toBe(2 + 8 + 4 + 8);
    expect(estimatedTokens('你好')).toBe(2 + 8);
  });

  it('are counted by the month of UTC', () => {
    const last = new Date('2026-12-31T23:59:59.999Z');
    expect([monthOf(last), nextMonth(last)]).toEqual(['2026-12', '2027-01-01T00:00:00.000Z']);
  });
});
