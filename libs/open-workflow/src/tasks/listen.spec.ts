import { ANSWER_EVENT, type CloudEvent } from '../durable-steps.js';
import type { Json } from '../json.js';
import { Scenario } from '../testing.js';

let ids = 0;
const event = (type: string, data: Json, more: Partial<CloudEvent> = {}): CloudEvent => ({
  specversion: '1.0',
  id: `e${(ids += 1)}`,
  source: 'https://example.com/',
  type,
  data,
  ...more,
});

const LISTEN = (filter: string, more = '') => `do: [{ hear: { listen: { to: { one: { with: ${filter} } }${more} } } }]`;

describe('listen', () => {
  it('waits for an event, and gives its data in an array', async () => {
    const scenario = new Scenario(LISTEN('{ type: order.paid, subject: "${ .order }" }'), { input: { order: 'o-1' } });
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    scenario.run.send(event('order.sent', 1, { subject: 'o-1' }));
    scenario.run.send(event('order.paid', 2, { subject: 'o-2' }));
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    scenario.run.send(event('order.paid', { sum: 3 }, { subject: 'o-1' }));
    expect(await scenario.output()).toEqual([{ sum: 3 }]);
    expect(await scenario.output()).toEqual([{ sum: 3 }]);
  });

  it('does not miss an event that came before', async () => {
    const scenario = new Scenario(LISTEN('{ type: early }'));
    scenario.run.send(event('early', 'bird'));
    expect(await scenario.output()).toEqual(['bird']);
  });

  it('gives the whole event for `read: envelope`, and its data for `read: raw`', async () => {
    const sent = event('a', 1);
    const reading = async (read: string) => {
      const scenario = new Scenario(LISTEN('{ type: a }', `, read: ${read}`));
      scenario.run.send(sent);
      return scenario.output();
    };
    expect(await reading('envelope')).toEqual([sent]);
    expect(await reading('raw')).toEqual([1]);
  });

  it('receives each event once', async () => {
    const one =
      '{ listen: { to: { one: { with: { type: a } } } }, output: { as: ".[0]" }, export: { as: "$context + [.]" } }';
    const scenario = new Scenario(
      `do: [{ x: { set: {}, export: { as: "[]" } } }, { a: ${one} }, { b: ${one} }, { c: { set: '\${ $context }' } }]`,
    );
    scenario.run.send(event('a', 1));
    scenario.run.send(event('a', 2));
    expect(await scenario.output()).toEqual([1, 2]);
  });

  it('keeps listening until the data matches an expression', async () => {
    const scenario = new Scenario(LISTEN(`{ type: measured, data: '\${ .degrees > 38 }' }`));
    scenario.run.send(event('measured', 'no object'));
    for (const degrees of [36, 39, 40]) scenario.run.send(event('measured', { degrees }));
    expect(await scenario.output()).toEqual([{ degrees: 39 }]);
    expect(scenario.steps).toEqual(['/do/0/hear']);
  });

  it.each([
    ['true', true],
    ['a number', true],
    ['null', false],
    ['false', false],
  ])('takes %s for what a condition is elsewhere', async (what, isHeard) => {
    const data = { true: true, 'a number': 0, null: null, false: false }[what] ?? null;
    const scenario = new Scenario(LISTEN("{ type: a, data: '${ .value }' }"));
    scenario.run.send(event('a', { value: data }));
    expect(await scenario.execute()).toMatchObject({ status: isHeard ? 'completed' : 'waiting' });
  });

  const WANTS = (condition: string) =>
    `listen: { to: { one: { with: { type: k, data: '\${ ${condition} }' } } } }, timeout: { after: P3D }, output: { as: '.[0]' }`;

  it('leaves events that do not fit to other tasks', async () => {
    const scenario = new Scenario(
      `do: [{ f: { fork: { branches: [{ a: { ${WANTS('. == "a"')} } }, { b: { ${WANTS('. == "b"')} } }] } } }]`,
    );
    for (const data of ['b', 'a']) scenario.run.send(event('k', data));
    expect(await scenario.output()).toEqual(['a', 'b']);
  });

  it('leaves events that do not fit to later tasks', async () => {
    const scenario = new Scenario(`do: [{ a: { ${WANTS('. == 2')} } }, { b: { ${WANTS('. == 1')} } }]`);
    for (const data of [1, 2]) scenario.run.send(event('k', data));
    expect(await scenario.output()).toBe(1);
  });

  it('takes the events of a loop in any order', async () => {
    const scenario = new Scenario(
      `do: [{ l: { for: { each: item, in: '\${ [1, 2, 3] }' }, do: [{ a: { ${WANTS('. == $item')} } }] } }]`,
    );
    for (const data of [3, 2, 1]) scenario.run.send(event('k', data));
    expect(await scenario.output()).toBe(3);
  });

  it('continues a run whose step was given an event that does not match', async () => {
    const scenario = new Scenario(LISTEN("{ type: k, data: '${ . == 2 }' }"));
    const step = { name: '/do/0/hear', task: '/do/0/hear', attempt: 1 };
    scenario.run.record(step, 'event').result = { event: event('k', 1), at: '2026-01-02T03:04:06.000Z' };
    scenario.run.send(event('k', 2));
    expect(await scenario.output()).toEqual([2]);
    expect(scenario.steps).toEqual(['/do/0/hear', '/do/0/hear!2']);
  });

  it('does not grow with events that do not fit', async () => {
    const scenario = new Scenario(LISTEN("{ type: k, data: '${ . == 30 }' }"), { limits: { steps: 3, tasks: 3 } });
    for (let data = 0; data < 31; data++) scenario.run.send(event('k', data));
    expect(await scenario.output()).toEqual([30]);
  });

  it('can be limited in time', async () => {
    const scenario = new Scenario(
      'do: [{ hear: { listen: { to: { one: { with: { type: a } } } }, timeout: { after: P3D } } }]',
    );
    expect(await scenario.problem()).toMatchObject({ status: 408, instance: '/do/0/hear' });
  });
});

describe('an approval', () => {
  const APPROVAL = `
do:
  - approve:
      listen: { to: { one: { with: { type: ${ANSWER_EVENT} } } } }
      metadata:
        question:
          message: '\${ "Send \\(.count) letters?" }'
          schema: { type: object, properties: { copies: { type: integer } } }
      output: { as: '.[0]' }
  - decide: { switch: [{ yes: { when: '.action == "accept"', then: send } }], then: end }
  - send: { set: { copies: '\${ .content.copies }', by: '\${ .by }' } }
`;

  it('asks a person, and continues with the answer', async () => {
    const scenario = new Scenario(APPROVAL, { input: { count: 3 } });
    expect(await scenario.execute()).toEqual({ status: 'waiting' });
    expect(scenario.run.records.get('/do/0/approve')?.wait).toEqual({
      with: { type: ANSWER_EVENT, subject: '/do/0/approve' },
      question: {
        message: 'Send 3 letters?',
        schema: { type: 'object', properties: { copies: { type: 'integer' } } },
      },
    });
    const answer = { action: 'accept', content: { copies: 2 }, by: 'ada' };
    scenario.run.send(event(ANSWER_EVENT, answer, { subject: '/do/0/approve' }));
    expect(await scenario.output()).toEqual({ copies: 2, by: 'ada' });
  });

  it.each([[null], [' ']])('asks nothing when the message is %j', async (message) => {
    const yaml = APPROVAL.replace(/message: .*/, "message: '${ .message }'");
    const scenario = new Scenario(yaml, { input: { message } });
    expect(await scenario.problem()).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
      detail: 'The `message` of the question is empty: a person could not answer it.',
      instance: '/do/0/approve',
    });
  });

  it('needs a question', async () => {
    const scenario = new Scenario(LISTEN(`{ type: ${ANSWER_EVENT} }`), { isInvalid: true });
    expect(await scenario.problem()).toMatchObject({ status: 400, instance: '/do/0/hear' });
  });
});
