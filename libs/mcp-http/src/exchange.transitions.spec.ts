import { type ExchangeState, follow, NEXT } from './exchange.transitions.js';

const STATES = Object.keys(NEXT) as ExchangeState[];

describe('the states of an exchange', () => {
  it('refuse every step that the table does not name', () => {
    for (const from of STATES) {
      const allowed: readonly ExchangeState[] = NEXT[from];
      for (const to of STATES) {
        if (allowed.includes(to)) expect(follow(from, to)).toBe(to);
        else expect(() => follow(from, to)).toThrow(`an exchange that is ${from} cannot become ${to}`);
      }
    }
  });

  it('lead from each one to the end, and from the end nowhere', () => {
    expect(NEXT.ended).toEqual([]);
    for (const state of STATES) if (state !== 'ended') expect(NEXT[state]).toContain('ended');
  });
});
