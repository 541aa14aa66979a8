import { Scenario, TestHost } from './testing.js';
import type { Json } from './json.js';

const outputOf = (yaml: string, input?: Json, host?: TestHost) =>
  new Scenario(yaml, { ...(input !== undefined && { input }), ...(host && { host }) }).output();

/** A library service with two books. */
const library = () =>
  new TestHost({}, ({ url, headers }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/private') return { json: { user: headers.authorization ?? null } };
    if (pathname === '/books') return { json: [{ id: 7, title: 'Emma', shelf: searchParams.get('shelf') }] };
    const id = /^\/books\/(\d)$/.exec(pathname)?.[1];
    return id ? { json: { id: Number(id), title: `Book ${id}` } } : { status: 404 };
  });

/** The cases of the specification's conformance kit, with names and data of our own. */
describe('what the conformance kit asks for', () => {
  it('set: makes data of constants and expressions', async () => {
    const yaml = `do: [{ plant: { set: { kind: tree, height: '\${ .size.height }', leaves: '\${ .leaves }' } } }]`;
    const input = { size: { height: 12 }, leaves: { colour: 'green' } };
    expect(await outputOf(yaml, input)).toEqual({ kind: 'tree', height: 12, leaves: { colour: 'green' } });
  });

  it('do: executes tasks inside a task one after the other', async () => {
    const yaml = `
do:
  - journey:
      do:
        - oslo: { set: { stops: '\${ .stops + ["Oslo"] }' } }
        - rome: { set: { stops: '\${ .stops + ["Rome"] }' } }
        - cairo: { set: { stops: '\${ .stops + ["Cairo"] }' } }
`;
    expect(await outputOf(yaml, {})).toEqual({ stops: ['Oslo', 'Rome', 'Cairo'] });
  });

  it('flow: executes tasks in the order in which they are written', async () => {
    const yaml = `
do:
  - one: { set: { n: '\${ .n + [1] }' } }
  - two: { set: { n: '\${ .n + [2] }' } }
`;
    expect(await outputOf(yaml, {})).toEqual({ n: [1, 2] });
  });

  it('flow: follows `then`, in any direction', async () => {
    const yaml = `
do:
  - one: { set: { n: '\${ .n + [1] }' }, then: two }
  - three: { set: { n: '\${ .n + [3] }' }, then: end }
  - two: { set: { n: '\${ .n + [2] }' }, then: three }
`;
    expect(await outputOf(yaml, {})).toEqual({ n: [1, 2, 3] });
  });

  it('for: gives each item and its index, and each output to the next iteration', async () => {
    const yaml = `
do:
  - loop:
      for: { each: city, in: .cities }
      do:
        - note: { set: { seen: '\${ { names: (.seen.names + [$city]), at: (.seen.at + [$index]) } }' } }
`;
    expect(await outputOf(yaml, { cities: ['Oslo', 'Rome'] })).toEqual({
      seen: { names: ['Oslo', 'Rome'], at: [0, 1] },
    });
  });

  it.each([
    ['the case that matches', 'car', { by: ['road'] }],
    ['the case without a condition when none matches', 'kite', { by: ['kite'] }],
  ])('switch: continues with %s', async (_, vehicle, expected) => {
    const yaml = `
do:
  - choose:
      switch:
        - car: { when: '.vehicle == "car"', then: road }
        - ship: { when: '.vehicle == "ship"', then: sea }
        - other: { then: unknown }
  - road: { set: { by: '\${ .by + ["road"] }' }, then: end }
  - sea: { set: { by: '\${ .by + ["sea"] }' }, then: end }
  - unknown: { set: { by: '\${ [$input.vehicle] }' } }
`;
    expect(await outputOf(yaml, { vehicle })).toEqual(expected);
  });

  it('switch: does what its own `then` says when no case matches', async () => {
    const yaml = `
do:
  - choose: { switch: [{ car: { when: '.vehicle == "car"', then: road } }], then: end }
  - road: { set: { by: road } }
`;
    expect(await outputOf(yaml, { vehicle: 'kite' })).toEqual({ vehicle: 'kite' });
  });

  it('raise: fails with the error, which says where it was raised', async () => {
    const yaml = `do: [{ stop: { raise: { error: { type: 'https://example.com/errors/closed', status: 423, title: Closed } } } }]`;
    expect(await new Scenario(yaml).problem()).toEqual({
      type: 'https://example.com/errors/closed',
      status: 423,
      title: 'Closed',
      instance: '/do/0/stop',
    });
  });

  it.each([[null], [7], ['']])('raise: fails with an error of expressions when the type is %j', async (type) => {
    const yaml = `do: [{ stop: { raise: { error: { type: '\${ .type }', status: 423 } } } }]`;
    expect(await new Scenario(yaml, { input: { type } }).problem()).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
      detail: `The \`type\` of an error must be a URI, not ${JSON.stringify(type)}.`,
    });
  });

  it('raise: leaves out what an expression gives as null, and fails when the status is none', async () => {
    const yaml = `do: [{ stop: { raise: { error: { type: a, status: '\${ .s }', title: '\${ .t }', detail: '\${ .d }' } } } }]`;
    const problem = (input: Json) => new Scenario(yaml, { input }).problem();
    expect(await problem({ s: 423 })).toEqual({ type: 'a', status: 423, instance: '/do/0/stop' });
    expect(await problem({ s: '423', t: 'T', d: 'D' })).toMatchObject({ status: 423, title: 'T', detail: 'D' });
    for (const s of ['abc', null, 99, 600, 400.5, true, [423]])
      expect(await problem({ s })).toMatchObject({
        type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
        detail: `The \`status\` of an error must be a whole number from 100 to 599, not ${JSON.stringify(s)}.`,
      });
  });

  it('fork: lets branches compete, of which one gives the output', async () => {
    const yaml = `
do:
  - race:
      fork:
        compete: true
        branches:
          - hare: { set: { first: '\${ .first + ["hare"] }' } }
          - hedgehog: { set: { first: '\${ .first + ["hedgehog"] }' } }
`;
    expect(await outputOf(yaml, {})).toEqual({ first: [expect.any(String)] });
  });

  it('emit: sends an event, which is its output', async () => {
    const host = new TestHost();
    const yaml = `
do:
  - tell:
      emit:
        event: { with: { source: 'https://example.com/desk', type: com.example.arrived, data: { text: '\${ "Hello \\(.name)" }' } } }
`;
    const event = await outputOf(yaml, { name: 'Ada' }, host);
    expect(event).toEqual({
      specversion: '1.0',
      id: 'run-1:/do/0/tell',
      time: expect.any(String) as string,
      source: 'https://example.com/desk',
      type: 'com.example.arrived',
      data: { text: 'Hello Ada' },
    });
    expect(host.emitted).toEqual([event]);
  });

  it.each(['id', 'source'])('emit: sends no event whose %s has no value', async (attribute) => {
    const host = new TestHost();
    const yaml = `do: [{ tell: { emit: { event: { with: { ${attribute}: '\${ .none }', type: a } } } } }]`;
    await expect(outputOf(yaml, {}, host)).rejects.toThrow(`The \`${attribute}\` of an event must be a text`);
    expect(host.emitted).toEqual([]);
  });

  it('data flow: `input.from` chooses what a task sees', async () => {
    const yaml = `do: [{ pick: { input: { from: .order.customer.id }, set: { id: '\${ . }' } } }]`;
    expect(await outputOf(yaml, { order: { customer: { id: 'c-9' } } })).toEqual({ id: 'c-9' });
  });

  const GET_BOOK = `call: http, with: { method: get, endpoint: { uri: 'https://library.example/books/{book}' } }`;

  it('data flow: `output.as` chooses what a task gives', async () => {
    expect(await outputOf(`do: [{ get: { ${GET_BOOK}, output: { as: .id } } }]`, { book: 1 }, library())).toBe(1);
  });

  it('data flow: outputs need not be objects', async () => {
    const yaml = `
do:
  - first: { ${GET_BOOK}, output: { as: .id } }
  - second:
      call: http
      with: { method: get, endpoint: { uri: 'https://library.example/books/2' } }
      output: { as: '{ ids: [$input, .id] }' }
`;
    expect(await outputOf(yaml, { book: 1 }, library())).toEqual({ ids: [1, 2] });
  });

  it('call http: gives the content', async () => {
    const yaml = `
do:
  - find:
      call: http
      with: { method: get, endpoint: { uri: 'https://library.example/books?shelf={shelf}' } }
      output: { as: '.[0]' }
`;
    expect(await outputOf(yaml, { shelf: 'A 1' }, library())).toEqual({ id: 7, title: 'Emma', shelf: 'A 1' });
  });

  it('call http: gives the response', async () => {
    const yaml = `do: [{ get: { call: http, with: { method: get, output: response, endpoint: { uri: 'https://library.example/books/{book}' } } } }]`;
    expect(await outputOf(yaml, { book: 3 }, library())).toEqual({
      request: { method: 'GET', uri: 'https://library.example/books/3', headers: {} },
      statusCode: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      content: { id: 3, title: 'Book 3' },
    });
  });

  it('call http: uses basic authentication', async () => {
    const host = library();
    const yaml = `
do:
  - login:
      call: http
      with:
        method: get
        endpoint:
          uri: https://library.example/private
          authentication: { basic: { username: '\${ .user }', password: '\${ .word }' } }
`;
    await outputOf(yaml, { user: 'ada', word: 'lovelace' }, host);
    expect(host.requests[0]?.headers).toEqual({ authorization: 'Basic YWRhOmxvdmVsYWNl' });
  });

  const TRY = (status: number) => `
do:
  - attempt:
      try:
        - lookUp: { call: http, with: { method: get, endpoint: { uri: 'https://library.example/title/{title}' } } }
      catch:
        errors: { with: { type: 'https://open-workflow-specification.org/dsl/errors/types/communication', status: ${status} } }
        as: problem
        do:
          - note: { set: { error: '\${ $problem }' } }
`;

  it('try: catches the errors that its filter describes', async () => {
    expect(await outputOf(TRY(404), { title: 'Emma' }, library())).toEqual({
      error: {
        type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
        status: 404,
        title: 'Communication Error',
        detail: 'GET https://library.example/title/Emma was answered with status 404.',
        instance: '/do/0/attempt/try/0/lookUp',
      },
    });
  });

  it('try: lets other errors pass', async () => {
    const scenario = new Scenario(TRY(503), { input: { title: 'Emma' }, host: library() });
    expect(await scenario.problem()).toMatchObject({ status: 404, instance: '/do/0/attempt/try/0/lookUp' });
  });
});
