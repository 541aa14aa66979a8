import type { CloudEvent } from './durable-steps.js';
import { inputOf, isStartedBy } from './event-trigger.js';
import { JqExpressions } from './jq/jq-expressions.js';
import type { EventAttributes, Schedule } from './model.js';
import { WorkflowError } from './workflow-error.js';

const event: CloudEvent = {
  specversion: '1.0',
  id: '1',
  source: '/shop',
  type: 'order.placed',
  data: { total: 120, country: 'pt' },
};
const on = (filter: EventAttributes): Schedule => ({ on: { one: { with: filter } } });

describe('the event that starts a workflow', () => {
  const expressions = new JqExpressions();
  afterAll(() => expressions.close());

  it.each<[string, Schedule | undefined, boolean]>([
    ['its type', on({ type: 'order.placed' }), true],
    ['another type', on({ type: 'order.paid' }), false],
    ['a pattern of types', on({ type: 'order\\..*' }), true],
    ['a part of its data', on({ type: 'order.placed', data: { country: 'pt' } }), true],
    ['other data', on({ type: 'order.placed', data: { country: 'es' } }), false],
    ['a condition that holds', on({ type: 'order.placed', data: '${ .total > 100 }' }), true],
    ['a condition that does not hold', on({ type: 'order.placed', data: '${ .total > 200 }' }), false],
    ['another text as its data', on({ data: 'hello' }), false],
    ['a condition that returns something else than false and null', on({ data: '${ .total - 120 }' }), true],
    ['a condition that returns null', on({ data: '${ .taxes }' }), false],
    ['a condition on another type, which is not evaluated', on({ type: 'other', data: '${ error }' }), false],
    ['times only', { cron: '* * * * *' }, false],
    ['nothing', undefined, false],
  ])('is recognised by a schedule with %s', async (_title, schedule, isStarted) => {
    expect(await isStartedBy(schedule, event, expressions)).toBe(isStarted);
  });

  it('matches data against plain text in the schedule, which is not an expression', async () => {
    const greeting = { ...event, data: 'hello' };
    expect(await isStartedBy(on({ data: 'hello' }), greeting, expressions)).toBe(true);
    expect(await isStartedBy(on({ data: 'h.*o' }), greeting, expressions)).toBe(true);
    expect(await isStartedBy(on({ data: '.' }), event, expressions)).toBe(false);
  });

  it('says so when the expression fails', async () => {
    await expect(isStartedBy(on({ data: '${ .total | keys }' }), event, expressions)).rejects.toThrow(WorkflowError);
  });

  it('is the input, or its data is', () => {
    expect(inputOf({}, event)).toEqual([event.data]);
    const { data: _data, ...without } = event;
    expect(inputOf({ read: 'data' }, without)).toEqual([null]);
    expect(inputOf({ read: 'envelope' }, event)).toEqual([event]);
    expect(inputOf({ read: 'raw' }, event)).toEqual([event.data]);
  });
});
