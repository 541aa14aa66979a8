import { Offences } from './offences.js';

const HOUR_MS = 3_600_000;

describe('offences of modules', () => {
  it('are counted for each module and code', () => {
    const offences = new Offences();
    expect(offences.count('good', 'good 1', 0)).toBe(1);
    expect([1, 2].map((nowMs) => offences.count('bad', 'bad 1', nowMs))).toEqual([1, 2]);
    expect(offences.count('bad', 'bad 2', 3)).toBe(1);
    offences.forget('bad');
    expect(offences.count('bad', 'bad 2', 4)).toBe(1);
  });

  it('are forgotten after a day', () => {
    const offences = new Offences();
    const counts = [0, 23, 24, 46, 48].map((hour) => offences.count('bad', 'bad 1', hour * HOUR_MS));
    expect(counts).toEqual([1, 2, 2, 3, 2]);
  });
});
