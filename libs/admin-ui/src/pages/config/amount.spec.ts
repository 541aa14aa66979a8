import { readAmount } from './amount';

const TIMEOUT = { minimum: 1, maximum: 3_600_000, unit: 'ms' };

describe('readAmount', () => {
  it.each([
    ['30000', TIMEOUT, 30_000],
    [' 45 s ', TIMEOUT, 45_000],
    ['2min', TIMEOUT, 120_000],
    ['1.5 s', TIMEOUT, 1_500],
    ['1 hour', TIMEOUT, 3_600_000],
    ['2 h', { minimum: 1, maximum: 10_080, unit: 'minutes' }, 120],
    ['4 MiB', { minimum: 1024, maximum: 268_435_456, unit: 'bytes' }, 4_194_304],
    ['20', { minimum: 1, maximum: 1000 }, 20],
  ])('reads %j as %#', (text, setting, value) => {
    expect(readAmount(text, setting)).toEqual({ value });
  });

  it.each(['', '1.5', '45 parsecs', '45 MiB', '2 h', '0', '-1', '1,000', '1e3', '0.1 ms', 'abc'])(
    'refuses %j, and says what can be entered',
    (text) => {
      expect(readAmount(text, TIMEOUT)).toEqual({
        problem: 'Enter a whole number of ms from 1 to 3,600,000, or with a unit, such as 45 s.',
      });
    },
  );

  it('offers no units where a setting has none', () => {
    expect(readAmount('5 s', { minimum: 0, maximum: 10 })).toEqual({ problem: 'Enter a whole number from 0 to 10.' });
  });
});
