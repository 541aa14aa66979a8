import { jest } from '@jest/globals';
import { ANSWER_EVENT, type CloudEvent } from './durable-steps.js';
import { matchesEvent } from './event-matching.js';
import type { EventAttributes } from './model.js';

const event: CloudEvent = {
  specversion: '1.0',
  id: '1',
  source: 'https://example.com/shop',
  type: 'com.example.order.paid',
  subject: 'o-17',
  data: { order: { id: 17, tags: ['a'] }, by: 'ada' },
};

describe('matchesEvent', () => {
  it.each<[EventAttributes]>([
    [{}],
    [{ type: 'com.example.order.paid' }],
    [{ type: 'com\\.example\\.order\\..*', subject: 'o-\\d+' }],
    [{ type: 'com.example.(order|cart).(paid|sent)' }],
    [{ data: { order: { id: 17 } } }],
    [{ data: { order: { tags: ['a'] }, by: 'a.*' } }],
    [{ subject: '\\p{Ll}-\\p{Nd}+' }],
    [{ subject: 'o-[\\u{30}-\\u{39}]+' }],
  ])('receives an event with all of %j', (filter) => expect(matchesEvent(filter, event)).toBe(true));

  it.each<[EventAttributes]>([
    [{ type: 'com.example.order' }],
    [{ type: 'comXexampleXorderXpaid' }],
    [{ type: 'order.*' }],
    [{ extension: 'x' }],
    [{ data: { order: { id: 18 } } }],
    [{ data: { order: { id: '17' } } }],
    [{ data: { order: { tags: [] } } }],
    [{ data: { missing: null } }],
    [{ type: '([' }],
    [{ toString: 'x' }],
  ])('does not receive an event that lacks some of %j', (filter) => expect(matchesEvent(filter, event)).toBe(false));

  it('does not treat the name of a step as a regular expression', () => {
    const answer = { ...event, type: ANSWER_EVENT, subject: '/do/0/asname' };
    expect(matchesEvent({ type: ANSWER_EVENT, subject: '/do/0/ask?name' }, answer)).toBe(false);
    expect(matchesEvent({ type: ANSWER_EVENT, subject: '/do/0/asname' }, answer)).toBe(true);
  });

  it('tries again what took its time while the machine stood still', () => {
    let stands = 2;
    const test = jest.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
      if (this.source.startsWith('^(?:o-') && stands-- > 0) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
        for (;;); // until the time limit ends it
      }
      return this.exec(text) !== null;
    });
    expect(matchesEvent({ subject: 'o-\\d+' }, event)).toBe(true);
    test.mockRestore();
  });

  it('gives up on a regular expression that takes exponential time', () => {
    expect(matchesEvent({ subject: '(a+)+b' }, { ...event, subject: 'a'.repeat(100) })).toBe(false);
  });
});
