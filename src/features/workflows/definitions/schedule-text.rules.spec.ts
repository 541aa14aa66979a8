import type { Schedule } from '#open-workflow';
import { scheduleText } from './schedule-text.rules.js';

describe('scheduleText', () => {
  it.each<[Schedule | undefined, string | null]>([
    [undefined, null],
    [{ cron: '0 7 * * *' }, 'cron 0 7 * * *'],
    [{ every: 'PT15M' }, 'every PT15M'],
    [{ every: { hours: 1, minutes: 30 } }, 'every 1 hour 30 minutes'],
    [{ after: { days: 2 } }, '2 days after each run'],
    [{ on: { one: { with: { type: 'feed.items' } } } }, 'on feed.items'],
    [{ on: { one: { with: { source: 'a' } } }, cron: '@daily' }, 'cron @daily, on events'],
  ])('of %j is %j', (schedule, text) => {
    expect(scheduleText(schedule)).toBe(text);
  });
});
