import { jest } from '@jest/globals';
import type { Json } from '../json.js';
import { Scenario, TestHost } from '../testing.js';
import type { HttpRequest, HttpResponse } from '../workflow-host.js';

const TOKEN = 'Tok-Weather-1';
const OTHER = 'tok-mail-22';
const AUTHORIZATION = 'https://serverlessworkflow.io/spec/1.0.0/errors/authorization';
type Answers = (request: HttpRequest) => Partial<HttpResponse> & { json?: Json };

/** A host with two secrets: `weather` may be sent to a.example and the function send, `mail` to mail.example only. */
const world = (answers: Answers = () => ({ json: 'done' })) =>
  new TestHost(
    { send: () => 'sent', tell: () => 'told' },
    answers,
    { weather: TOKEN, mail: { username: 'ada', password: OTHER } },
    { weather: ['a.example', 'send'], mail: ['mail.example'] },
  );
const scenario = (task: string, host = world()) =>
  new Scenario(`{ use: { secrets: [weather, mail] }, do: [{ a: ${task} }] }`, { host });
const http = (args: string, host?: TestHost) => scenario(`{ call: http, with: { method: post, ${args} } }`, host);
const token = (endpoint: string) =>
  `endpoint: { uri: '${endpoint}', authentication: { bearer: { token: '\${ $secrets.weather }' } } }`;

/** Returns the error of a step that has sent nothing. */
async function refusalOf(refused: Scenario): Promise<string | undefined> {
  const { type, status, detail } = await refused.problem();
  expect([type, status, refused.host.requests, refused.host.calls]).toEqual([AUTHORIZATION, 403, [], []]);
  return detail;
}

describe('a secret that may go only to some places', () => {
  it('goes there, alone and joined to texts', async () => {
    const sent = http(`${token('https://a.example/x')}, headers: { x-key: '\${ "k " + $secrets.weather }' }`);
    expect(await sent.output()).toBe('done');
    expect(sent.host.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-key': `k ${TOKEN}` });
    const called = scenario(`{ call: send, with: { text: '\${ "t=\\($secrets.weather)" }' } }`);
    expect(await called.output()).toBe('sent');
    expect(called.host.calls[0]?.args).toEqual({ text: `t=${TOKEN}` });
  });

  it.each([
    ['in the authentication', token('https://b.example/')],
    ['at another port', token('https://a.example:8443/')],
    ['in the address', `endpoint: { uri: '\${ "https://b.example/" + $secrets.weather }' }`],
    ['in the query', `endpoint: 'https://b.example/', query: { k: '\${ $secrets.weather }' }`],
    ['in a header', `endpoint: 'https://b.example/', headers: { x: '\${ $secrets.weather }' }`],
    ['in the body', `endpoint: 'https://b.example/', body: { x: ['\${ $secrets.weather }'] }`],
  ])('does not leave for another server %s', async (_, args) => {
    expect(await refusalOf(http(args))).toMatch(/^weather may not go to [ab]\.example/);
  });

  it('does not leave with basic authentication, whose secret it is', async () => {
    const args = `endpoint: { uri: 'https://a.example/', authentication: { basic: { use: mail } } }`;
    expect(await refusalOf(http(args))).toBe('mail may not go to a.example');
  });

  it('does not leave with `$secrets` as a whole, whatever else of it may go there', async () => {
    const args = `endpoint: 'https://a.example/', body: '\${ $secrets }'`;
    expect(await refusalOf(http(args))).toBe('mail may not go to a.example');
  });

  it('does not leave for a server that the header Host names', async () => {
    const args = (host: string) => `${token('https://a.example/')}, headers: { Host: ${host} }`;
    expect(await refusalOf(http(args('b.example')))).toBe('weather may not go to b.example');
    expect(await http(args('a.example')).output()).toBe('done');
  });

  it('does not leave for another function', async () => {
    const called = scenario(`{ call: tell, with: { text: '\${ $secrets.weather }' } }`);
    expect(await refusalOf(called)).toBe('weather may not go to tell');
  });

  it('is refused to a `catch`, too', async () => {
    const caught = new Scenario(
      `{ use: { secrets: [weather] }, do: [{ a: { try: [{ b: { call: tell, with: { x: '\${ $secrets.weather }' } } }],
        catch: { errors: { with: { status: 403 } }, do: [{ c: { set: { seen: caught } } }] } } }] }`,
      { host: world() },
    );
    expect(await caught.output()).toEqual({ seen: 'caught' });
    expect(caught.host.calls).toEqual([]);
  });
});

describe('a redirect to another server', () => {
  const redirecting = () =>
    world(({ url }) =>
      url.startsWith('https://a.example/')
        ? { status: 307, headers: { location: 'https://b.example/there' } }
        : { json: 'there' },
    );
  const followed = (args: string) => http(`${args}, redirect: true`, redirecting());

  it('is followed without the secret of the authentication, which stays behind', async () => {
    const sent = followed(token('https://a.example/'));
    expect(await sent.output()).toBe('there');
    expect(sent.host.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['https://a.example/', `Bearer ${TOKEN}`],
      ['https://b.example/there', undefined],
    ]);
  });

  it.each([
    ['the body', `endpoint: 'https://a.example/', body: '\${ $secrets.weather }'`],
    ['a header that goes on', `endpoint: 'https://a.example/', headers: { User-Agent: '\${ $secrets.weather }' }`],
    ['the address, which the server may repeat', `endpoint: { uri: '\${ "https://a.example/" + $secrets.weather }' }`],
    ['both', `${token('https://a.example/')}, body: '\${ $secrets.weather }'`],
  ])('is refused with a secret in %s', async (_, args) => {
    const sent = followed(args);
    expect(await sent.problem()).toMatchObject({ type: AUTHORIZATION, detail: 'weather may not go to b.example' });
    expect(sent.host.requests.map(({ url }) => new URL(url).host)).toEqual(['a.example']);
  });

  it('is refused where the authentication would come along', async () => {
    const host = world(({ url }) => (url.endsWith('/x') ? { status: 302, headers: { location: '/y' } } : {}));
    const call = { signal: new AbortController().signal, idempotencyKey: 'k' };
    const sent = http(`${token('https://a.example/x')}, redirect: true`, host);
    const request = jest.spyOn(host, 'request');
    await sent.output();
    const [, { assertMayFollow } = { ...call, assertMayFollow: () => undefined }] = request.mock.calls[0] ?? [];
    const headers = { authorization: 'Bearer x' };
    expect(() => assertMayFollow({ url: 'https://b.example/', headers })).toThrow('weather may not go to b.example');
    expect(() => assertMayFollow({ url: 'https://b.example/', headers: {} })).not.toThrow();
  });
});

describe('expressions with a secret that may go only to some places', () => {
  it.each([
    '$secrets.weather | explode | reverse | implode',
    '$secrets.weather[0:1]',
    'if $secrets.weather < "m" then "a" else error("b") end',
    '{ ($secrets.weather): 1 }',
    '.[$secrets.weather]',
    '"\\($secrets.weather | @base64)"',
    '$secrets.weather == "x"',
    '$secrets.weather + (1 | error)',
    '$secrets.weather | error',
    '($secrets | to_entries)',
    '@base64 "\\($secrets.weather)"',
  ])('do not compute with it: %s', async (program) => {
    const task = `{ call: send, with: { text: ${JSON.stringify(`\${ ${program} }`)} } }`;
    const refused = new Scenario(`{ use: { secrets: [weather] }, do: [{ a: ${task} }] }`, { host: world() });
    expect(await refusalOf(refused)).toContain("The secret weather may go only to some places, so expressions can't");
  });

  it('do not compute with it beside another expression that names it', async () => {
    const args = `{ a: '\${ $secrets.weather }', b: "\${ $#\\nsecrets.weather | explode }" }`;
    expect(await refusalOf(scenario(`{ call: send, with: ${args} }`))).toContain("can't compute with it");
  });

  it('may compute with everything else', async () => {
    const args = `{ a: '\${ $secrets.weather + .b }', c: '\${ [1, 2] | add }' }`;
    const called = new Scenario(`{ use: { secrets: [weather] }, do: [{ a: { call: send, with: ${args} } }] }`, {
      host: world(),
      input: { b: '!' },
    });
    await called.output();
    expect(called.host.calls[0]?.args).toEqual({ a: `${TOKEN}!`, c: 3 });
  });
});

describe('a step shows no secret', () => {
  const at = (uri: string, answer: Partial<HttpResponse>, more = '') =>
    http(
      `endpoint: { uri: '\${ ${uri} }' }${more}`,
      world(() => answer),
    );

  it.each([
    ['that is a part of a text that is no address', `"${'x'.repeat(495)}" + $secrets.weather`, {}, TOKEN.slice(0, 5)],
    ['in the address that failed', `"https://a.example/" + $secrets.weather`, { status: 404 }, TOKEN],
    ['in small letters', `"https://" + $secrets.weather + ".a.example/"`, {}, TOKEN.toLowerCase()],
  ])('%s', async (_, uri, answer, hidden) => {
    expect((await at(uri, answer).problem()).detail).not.toContain(hidden);
  });

  it('in large letters, as a method', async () => {
    const args = `method: '\${ $secrets.weather }', endpoint: 'https://a.example/'`;
    const host = world(() => ({ status: 500 }));
    const { detail } = await scenario(`{ call: http, with: { ${args} } }`, host).problem();
    expect([host.requests[0]?.method, detail]).toEqual([
      TOKEN.toUpperCase(),
      '[redacted] https://a.example/ was answered with status 500.',
    ]);
  });

  it('in the forms that addresses have', async () => {
    const secret = 'pa ss/w+ö';
    const forms = [encodeURIComponent(secret), encodeURI(secret), new URLSearchParams({ k: secret }).toString()];
    const host = new TestHost({}, () => ({ json: forms }), { weather: secret });
    const told = http(`endpoint: 'https://a.example/', body: '\${ $secrets.weather }'`, host);
    expect(await told.output()).toEqual(['[redacted]', '[redacted]', 'k=[redacted]']);
  });

  it('in the address that a response tells', async () => {
    const answer = { json: 1 };
    const told = http(
      `endpoint: 'https://a.example/x', query: { k: '\${ $secrets.weather }' }, output: response`,
      world(() => answer),
    );
    expect(await told.output()).toMatchObject({ request: { uri: 'https://a.example/[redacted]' } });
  });
});
