import type { Json } from '../json.js';
import { Scenario, TestHost } from '../testing.js';
import type { HttpRequest, HttpResponse } from '../workflow-host.js';

type Answer = Partial<HttpResponse>;
const text = (body: string, type?: string, status = 200): Answer => ({
  status,
  headers: type === undefined ? {} : { 'content-type': type },
  body: Buffer.from(body),
});

const BASIC = `Basic ${Buffer.from('ada:love/lace').toString('base64')}`;

const call = (args: string, use = '{}') =>
  `{ use: ${use}, do: [{ get: { call: http, with: { method: post, ${args} } } }] }`;

async function requestOf(args: string, input = {}, use?: string): Promise<HttpRequest | undefined> {
  const host = new TestHost({}, () => ({}), {
    shop: { username: 'ada', password: 'love/lace' },
    key: { token: 'tok-123' },
  });
  await new Scenario(call(args, use), { input, host }).output();
  return host.requests[0];
}

const answered = (answer: Answer, args = 'endpoint: https://a.example/') =>
  new Scenario(call(args), { host: new TestHost({}, () => answer) });

describe('call: http sends', () => {
  it('variables of the address in their encoded form', async () => {
    const request = await requestOf(`endpoint: 'https://a.example/{a}/{b}?n={n}&is={no}&f=/{f}'`, {
      a: 'x/y?z',
      b: "(it's)",
      n: 0,
      no: false,
      f: '..',
    });
    expect(request?.url).toBe('https://a.example/x%2Fy%3Fz/%28it%27s%29?n=0&is=false&f=/..');
  });

  it.each<[string, string, object, string]>([
    ['is missing', '/users/{id}', {}, '{id} in https://a.example/users/{id} has no value: the input has no "id".'],
    ['is null', '/users/{id}', { id: null }, 'has no value: "id" of the input is null.'],
    ['is empty', '/users/{id}', { id: '' }, 'has no value: "id" of the input is an empty text.'],
    ['is a query parameter', '/users?id={id}', {}, 'has no value: the input has no "id".'],
    ['is one of several', '/{a}/{b}', { a: 1 }, '{b} in https://a.example/{a}/{b} has no value'],
    ['is inherited', '/{constructor}', {}, 'has no value: the input has no "constructor".'],
    ['is an operator of RFC 6570', '/users{?id}', { id: 1 }, 'has no value: the input has no "?id".'],
    [
      'leads to the parent',
      '/users/{id}',
      { id: '..' },
      'The values in https://a.example/users/{id} lead to another path',
    ],
    ['leads to the parent, half encoded', '/users/{id}%2e', { id: '.' }, 'lead to another path'],
    ['leads to the folder', '/users/{id}/keys', { id: '.' }, 'lead to another path'],
    ['leads to the parent with another', '/users/{id}{id}', { id: '.' }, 'lead to another path'],
  ])('nothing, where a variable of the address %s', async (_, path, input, detail) => {
    const args = `endpoint: 'https://a.example${path}', headers: { key: '\${ $secrets.key.token }' }`;
    const host = new TestHost({}, () => ({}), { key: { token: 'tok-123' } });
    const isInvalid = path.includes('{?');
    const scenario = new Scenario(call(args, '{ secrets: [key] }'), { host, input: input as Json, isInvalid });
    expect(await scenario.problem()).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
      status: 400,
      instance: '/do/0/get',
      detail: expect.stringContaining(detail) as string,
    });
    expect(host.requests).toEqual([]);
  });

  it('an address with the dots that the definition itself has', async () => {
    const request = await requestOf(`endpoint: 'https://a.example/a/../{a}/b.{a}'`, { a: '...' });
    expect(request?.url).toBe('https://a.example/.../b....');
  });

  it('nothing, where the input is no object', async () => {
    const scenario = new Scenario(
      `do: [{ a: { set: '\${ 7 }' } }, { get: { call: http, with: { method: delete, endpoint: 'https://a.example/{id}' } } }]`,
    );
    expect((await scenario.problem()).detail).toBe(
      '{id} in https://a.example/{id} has no value: the input is no object. Give the task an input with a value for it (input.from), or leave the task out (if).',
    );
    expect(scenario.host.requests).toEqual([]);
  });

  it('an address from an expression as it is', async () => {
    const request = await requestOf(`endpoint: { uri: '\${ .url }' }`, { url: 'https://a.example/{id}?q=1', id: 7 });
    expect(request?.url).toBe('https://a.example/%7Bid%7D?q=1');
  });

  it('queries and headers', async () => {
    const request = await requestOf(
      `endpoint: 'https://a.example/?a=1', query: { b: '\${ .b }', c: [1, true], d: null }, headers: { X-Count: '3', Accept: '\${ .none }' }`,
      { b: 'x&y' },
    );
    expect(request).toEqual({
      method: 'POST',
      url: 'https://a.example/?a=1&b=x%26y&c=1&c=true',
      headers: { 'x-count': '3' },
      body: null,
      followRedirects: false,
    });
  });

  it.each([
    ['objects as JSON', `body: { n: '\${ .n }' }`, '{"n":1}', 'application/json'],
    ['expressions as JSON', `body: '\${ [.n] }'`, '[1]', 'application/json'],
    ['texts as they are', 'body: hello', 'hello', 'text/plain; charset=utf-8'],
    [
      'texts as JSON if the header says so',
      'body: hello, headers: { Content-Type: application/json }',
      '"hello"',
      'application/json',
    ],
    [
      'forms as they are',
      'body: a=1, headers: { content-type: application/x-www-form-urlencoded }',
      'a=1',
      'application/x-www-form-urlencoded',
    ],
  ])('%s', async (_, body, expected, type) => {
    const request = await requestOf(`endpoint: https://a.example/, ${body}`, { n: 1 });
    expect(request).toMatchObject({ body: expected, headers: { 'content-type': type } });
  });

  it.each([
    ['basic', `{ basic: { username: ada, password: '\${ .word }' } }`, BASIC],
    ['basic from a secret', '{ basic: { use: shop } }', BASIC],
    ['basic by name', '{ use: fromSecret }', BASIC],
    ['bearer', `{ bearer: { token: '\${ .word }' } }`, 'Bearer love/lace'],
    ['bearer from a secret', '{ bearer: { use: key } }', 'Bearer tok-123'],
    ['bearer from an expression about a secret', `{ bearer: { token: '\${ $secrets.key.token }' } }`, 'Bearer tok-123'],
  ])('%s authentication', async (_, authentication, expected) => {
    const use = '{ secrets: [shop, key], authentications: { fromSecret: { basic: { use: shop } } } }';
    const args = `endpoint: { uri: 'https://a.example/', authentication: ${authentication} }`;
    expect((await requestOf(args, { word: 'love/lace' }, use))?.headers).toEqual({ authorization: expected });
  });

  it.each([
    ['no address', 'endpoint: { }', 'The endpoint needs a `uri`.'],
    ['another protocol', "endpoint: 'file:///etc/passwd'", 'file:///etc/passwd is no absolute http or https URL.'],
    ['a variable that is an object', "endpoint: 'https://a.example/{o}'", '{o} in https://a.example/{o} must be'],
    [
      'an unknown authentication',
      'endpoint: { uri: "https://a.example/", authentication: { use: none } }',
      'no authentication none',
    ],
    [
      'a secret that it does not name',
      'endpoint: { uri: "https://a.example/", authentication: { bearer: { use: other } } }',
      'does not name the secret other',
    ],
    ['no token', 'endpoint: { uri: "https://a.example/", authentication: { bearer: {} } }', 'lacks a `token`'],
  ])('nothing, and says why, with %s', async (_, args, detail) => {
    const scenario = new Scenario(call(args), { input: { o: {} }, isInvalid: !args.includes('{o}') });
    expect(await scenario.problem()).toMatchObject({
      instance: '/do/0/get',
      detail: expect.stringContaining(detail) as string,
    });
    expect(scenario.host.requests).toEqual([]);
  });
});

describe('call: http', () => {
  it.each([
    [
      'a header with a line break',
      'headers: { x-note: "${ .n }" }',
      { n: 'a\nb' },
      'The header x-note has a character',
    ],
    ['a header with an emoji', 'headers: { x-note: "${ .n }" }', { n: '🙂' }, 'The header x-note has a character'],
    ['a bad name of a header', 'headers: "${ . }"', { 'a b': 'c' }, '"a b" is not a name that an HTTP header can have'],
    ['too many query parameters', 'query: "${ . }"', { q: Array<string>(33_000).fill('') }, 'has more than 65536'],
    ['a query parameter that is too long', 'query: "${ . }"', { q: '?'.repeat(22_000) }, 'has more than 65536'],
    ['a query that is text', 'query: "${ .q }"', { q: 'id=7' }, 'The `query` of the request must be an object'],
    ['headers that are a list', 'headers: "${ .h }"', { h: ['a'] }, 'The `headers` of the request must be an object'],
    ['a method that is none', 'method: "${ .m }"', { m: 'get it' }, 'The `method` of the request must be one of HTTP'],
  ])('sends nothing with %s, and a policy for communication does not try again', async (_, args, input, detail) => {
    const method = args.startsWith('method') ? '' : 'method: get, ';
    const yaml = `
do:
  - a:
      try: [{ b: { call: http, with: { endpoint: 'https://a.example/', ${method}${args} } } }]
      catch:
        errors: { with: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication' } }
        retry: { limit: { attempt: { count: 2 } } }
        do: [{ c: { set: { caught: true } } }]
`;
    const scenario = new Scenario(yaml, { input });
    expect(await scenario.problem()).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation',
      status: 400,
      detail: expect.stringContaining(detail) as string,
    });
    expect(scenario.host.requests).toEqual([]);
  });
});

it('call: http sends nothing to an address that is too long', async () => {
  const uri = `https://a.example/?${'&a'.repeat(33_000)}`;
  const scenario = new Scenario(call("endpoint: '${ .uri }'"), { input: { uri } });
  expect(await scenario.problem()).toMatchObject({
    detail: 'The URL of the request has more than 65536 characters: send long data in the body.',
  });
  expect(scenario.host.requests).toEqual([]);
});

describe('call: http gives', () => {
  it.each([
    ['JSON', text('{"a":[1]}', 'application/problem+json; charset=utf-8'), { a: [1] }],
    ['text', text('hello', 'text/html'), 'hello'],
    [
      'text in the charset that the response names',
      {
        headers: { 'content-type': 'text/csv; header=present; charset="ISO-8859-1"' },
        body: Buffer.from('h\xe9', 'latin1'),
      },
      'hé',
    ],
    ['text in UTF-8 for a charset that does not exist', text('hé', 'text/plain; charset=none'), 'hé'],
    ['other content in base64', text('\u0000\u0001', 'application/octet-stream'), 'AAE='],
    ['null for an empty response', { status: 204 }, null],
  ])('%s', async (_, answer, expected) => {
    expect(await answered(answer).output()).toEqual(expected);
  });

  it('the bytes in base64 for `output: raw`', async () => {
    const args = 'endpoint: https://a.example/, output: raw';
    expect(await answered(text('{"a":1}', 'application/json'), args).output()).toBe('eyJhIjoxfQ==');
  });

  it.each([
    [
      'a status that is no success',
      text('{"reason":"closed"}', 'application/json', 503),
      503,
      'POST https://a.example/ was answered with status 503: {"reason":"closed"}',
    ],
    ['a redirection', { status: 302, headers: { location: '/b' } }, 302, 'was answered with status 302.'],
    ['JSON that is none', text('<html>', 'application/json'), 500, 'The content of the response is not JSON'],
    [
      'JSON that is nested too deep',
      text('['.repeat(2000) + ']'.repeat(2000), 'application/json'),
      500,
      'nested deeper than 100',
    ],
  ])('a communication error for %s', async (_, answer, status, detail) => {
    expect(await answered(answer).problem()).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
      status,
      detail: expect.stringContaining(detail) as string,
    });
  });

  it('a redirection that is left over, when `redirect` is true', async () => {
    const args = 'endpoint: https://a.example/, redirect: true, output: response';
    const scenario = answered({ status: 304, headers: { etag: 'x' } }, args);
    expect(await scenario.output()).toMatchObject({ statusCode: 304, headers: { etag: 'x' }, content: null });
    expect(scenario.host.requests[0]?.followRedirects).toBe(true);
  });

  it('no secret, wherever the response repeats it', async () => {
    const host = new TestHost({}, ({ headers }) => text(`you are ${headers.authorization}`, 'text/plain', 403), {
      key: { token: 'tok-123' },
    });
    const args = `output: response, endpoint: { uri: 'https://a.example/', authentication: { bearer: { use: key } } }`;
    const scenario = new Scenario(call(args, '{ secrets: [key] }'), { host });
    expect(await scenario.problem()).toMatchObject({
      status: 403,
      detail: expect.stringContaining('Bearer [redacted]') as string,
    });
    expect(JSON.stringify([...scenario.run.records])).not.toContain('tok-123');
  });

  it('no credentials of basic authentication, in the form in which they are sent', async () => {
    const host = new TestHost({}, ({ headers }) => text(headers.authorization ?? '', 'text/plain'), {
      shop: { username: 'ada', password: 'love/lace' },
    });
    const args = `output: response, endpoint: { uri: 'https://a.example/', authentication: { basic: { use: shop } } }`;
    const scenario = new Scenario(call(args, '{ secrets: [shop] }'), { host });
    expect(await scenario.output()).toMatchObject({ content: 'Basic [redacted]' });
    expect(host.requests[0]?.headers['authorization']).toBe(BASIC);
    expect(JSON.stringify([...scenario.run.records])).not.toContain(BASIC.slice('Basic '.length));
  });

  it('no part of a secret where a text is shortened or encoded', async () => {
    const token = 'é-secret-of-many-characters';
    const answer = (status: number, type: string) =>
      new TestHost({}, () => text(`${'.'.repeat(290)}${token}`, type, status), { key: { token } });
    const args = `output: raw, endpoint: { uri: 'https://a.example/', authentication: { bearer: { use: key } } }`;
    const failing = new Scenario(call(args, '{ secrets: [key] }'), { host: answer(403, 'text/plain') });
    expect((await failing.problem()).detail).toMatch(/\.\[redacted\]$/);
    const raw = new Scenario(call(args, '{ secrets: [key] }'), { host: answer(200, 'image/png') });
    expect(Buffer.from((await raw.output()) as string, 'base64').toString()).toBe(`${'.'.repeat(290)}[redacted]`);
  });

  it.each(['iso-8859-1', 'utf-16le'])('no secret that the response repeats in the charset %s', async (charset) => {
    const token = 'é-secret';
    const answer = { headers: { 'content-type': `text/plain; charset=${charset}` } };
    const body = Buffer.from(`you are ${token}`, charset === 'utf-16le' ? 'utf16le' : 'latin1');
    const host = new TestHost({}, () => ({ ...answer, body }), { key: { token } });
    const args = `endpoint: { uri: 'https://a.example/', authentication: { bearer: { use: key } } }`;
    expect(await new Scenario(call(args, '{ secrets: [key] }'), { host }).output()).toBe('you are [redacted]');
  });

  it('a communication error when there is no answer', async () => {
    const host = new TestHost({}, () => {
      throw new Error('connection refused');
    });
    expect(await new Scenario(call('endpoint: https://a.example/'), { host }).problem()).toMatchObject({
      status: 500,
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
      detail: 'POST https://a.example/ failed: connection refused',
    });
  });
});
