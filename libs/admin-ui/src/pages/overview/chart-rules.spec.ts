import { axisMaximum, describeCalls, describeLatency, dotsPath, linePath, type Span } from './chart-rules';

const part = (parts: Partial<Span> = {}): Span => ({
  at: '2026-01-01T00:00:00Z',
  calls: 0,
  errors: 0,
  denied: 0,
  p50Ms: null,
  p95Ms: null,
  ...parts,
});

describe('axisMaximum', () => {
  it.each([
    [[], 1],
    [[0], 1],
    [[3, 7], 10],
    [[11], 20],
    [[0.3], 0.5],
    [[100], 100],
  ])('of %j is %d', (values, maximum) => {
    expect(axisMaximum(values)).toBe(maximum);
  });
});

it('linePath and dotsPath join neighbours, and make a dot of a lonely value', () => {
  const values = [10, 20, null, 5];
  expect(linePath(values, 20)).toBe('M0.5 50L1.5 0M3.5 75');
  expect(dotsPath(values, 20)).toBe('M3.5 75h0');
});

describe('the texts that stand for the charts', () => {
  it('say so when nothing happened', () => {
    expect([describeCalls([part()], 'hour'), describeLatency([part()], 'hour')]).toEqual(
      Array(2).fill('No calls in the last hour.'),
    );
  });

  it('sum up what happened', () => {
    const parts = [part({ calls: 3, errors: 1, p50Ms: 10, p95Ms: 900 }), part({ calls: 1, p50Ms: 20, p95Ms: 30 })];
    expect(describeCalls(parts, 'hour')).toBe('4 calls in the last hour, 1 error; at most 3 calls in a minute.');
    expect(describeLatency(parts, 'hour')).toMatch(
      /at most 20 ms and 95 % at most 30 ms; the worst minute of the hour: 900 ms/,
    );
    expect(describeCalls(parts, 'week')).toContain('in the last week, 1 error; at most 3 calls in six hours');
  });
});
