import type { Json, Schedule } from '#open-workflow';
import { matchesEvent } from '#open-workflow';
import { exampleEvent, mistakesOf, SAMPLE_DATA, triedEvent } from './tried-event.rules.js';

const NOW = new Date('2026-11-26T10:00:00Z');
const on = (filter: Record<string, Json>): Schedule => ({ on: { one: { with: filter } } });

describe('an event to try a workflow with', () => {
  it('has what the filter asks for', () => {
    const data = { item: { title: 'New' }, isBacklog: true };
    const filter = { type: 'feed.item.arrived', source: '/agent-service/feeds/news', data };
    const example = exampleEvent(on(filter));
    expect(example).toEqual({
      type: 'feed.item.arrived',
      source: '/agent-service/feeds/news',
      data: {
        ...SAMPLE_DATA['feed.item.arrived'],
        item: { ...(SAMPLE_DATA['feed.item.arrived']['item'] as object), title: 'New' },
        isBacklog: true,
      },
    });
    expect(matchesEvent(filter, triedEvent(example ?? {}, on(filter), 'e1', NOW))).toBe(true);
  });

  it('omits what is computed, or matches several texts', () => {
    expect(exampleEvent(on({ type: 'order\\..*', subject: '${ .a }', data: '${ .total > 3 }' }))).toEqual({
      type: 'example',
      source: 'https://example.com/',
      data: {},
    });
    expect(exampleEvent(on({ type: 'order.made', data: { state: 'open|new', size: 3 } }))).toMatchObject({
      data: { state: '', size: 3 },
    });
  });

  it('is there for workflows that events start', () => {
    expect(exampleEvent(undefined)).toBeNull();
    expect(exampleEvent({ cron: '0 7 * * *' })).toBeNull();
  });

  it('is completed', () => {
    expect(triedEvent({ data: { n: 1 }, subject: 's' }, on({ type: 'order.made' }), 'e1', NOW)).toEqual({
      specversion: '1.0',
      id: 'e1',
      type: 'order.made',
      source: 'https://example.com/',
      time: '2026-11-26T10:00:00.000Z',
      subject: 's',
      data: { n: 1 },
    });
    expect(triedEvent({ id: 'mine', type: 'x' }, on({ type: 'order.made' }), 'e1', NOW)).toMatchObject({
      id: 'mine',
      type: 'x',
    });
  });

  it('is rejected if it is not an event, with what to do', () => {
    expect(mistakesOf({ type: 'a', extra1: 3, flag: true, data: { Any: ['thing'] } })).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, null]));
    expect(mistakesOf(many)).toHaveLength(10);
    expect(mistakesOf({ type: 3, payload: {}, 'My-Name': 1, subject: null })).toEqual([
      'type must be a text',
      'payload must be a text, a number or a boolean; what the event tells belongs under data',
      expect.stringContaining('"My-Name" is no name of an attribute'),
      'subject must be a text',
    ]);
  });
});
