import type { ToolCalled } from '../events/app-events.js';
import { recordedEvents, toolCalled } from '../events/testing.js';
import { CallStatistics } from './call-statistics.service.js';

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 0, 1, 0, minute, second));

function newStatistics() {
  const { events } = recordedEvents();
  const statistics = new CallStatistics(events);
  const call = (change: Partial<ToolCalled>) =>
    events.emit('tool.called', toolCalled({ durationMs: 10, at: at(0), ...change }));
  return { statistics, call };
}

describe('CallStatistics', () => {
  it('counts calls and errors for each of the last 60 minutes', () => {
    const { statistics, call } = newStatistics();
    call({ at: at(0) });
    call({ at: at(61, 10) });
    call({ at: at(61, 50), outcome: 'timeout' });
    call({ at: at(62), outcome: 'cancelled' });
    const hour = statistics.lastHour(at(62, 30));
    expect(hour).toHaveLength(60);
    expect(hour.at(0)).toEqual({ at: at(3), calls: 0, errors: 0, p50Ms: null, p95Ms: null });
    expect(hour.slice(-2)).toMatchObject([
      { at: at(61), calls: 2, errors: 1 },
      { at: at(62), calls: 1, errors: 0 },
    ]);
    expect(hour.reduce((sum, minute) => sum + minute.calls, 0)).toBe(3);
  });

  it('returns the median and the 95th percentile of the latency', () => {
    const { statistics, call } = newStatistics();
    for (let i = 0; i < 90; i++) call({ durationMs: 8 });
    for (let i = 0; i < 10; i++) call({ durationMs: 1000 });
    const minute = statistics.lastHour(at(0)).at(-1);
    expect(minute).toMatchObject({ p50Ms: 8, p95Ms: 1024 });
  });

  it('keeps only the beginning of long messages', () => {
    const { statistics, call } = newStatistics();
    call({ outcome: 'invalid', message: `unknown property ${'x'.repeat(1_000_000)}` });
    expect(statistics.latestErrors()[0]?.message).toMatch(/^unknown property x{900,1000}…$/);
  });

  it('keeps totals by tool', () => {
    const { statistics, call } = newStatistics();
    call({});
    call({ outcome: 'error' });
    expect(statistics.totalsOf('forecast')).toEqual({ calls: 2, errors: 1 });
    expect(statistics.totalsOf('other')).toEqual({ calls: 0, errors: 0 });
  });

  it('keeps the latest 50 errors, and a bounded number of tools', () => {
    const { statistics, call } = newStatistics();
    for (let i = 0; i < 6000; i++) call({ tool: `t${i}`, outcome: 'error', message: `no ${i}` });
    expect(statistics.latestErrors()).toHaveLength(50);
    expect(statistics.latestErrors()[0]).toMatchObject({ message: 'no 5999' });
    expect([statistics.totalsOf('t0').calls, statistics.totalsOf('t5999').calls]).toEqual([0, 1]);
  });
});
