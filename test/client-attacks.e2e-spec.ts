import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient, type TestClient } from './support/client-keys.js';
import { KEY, TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { TestSkillsModule } from './support/test-skills.module.js';

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

let service: TestService;
let ada: TestClient;
let eve: TestClient;
beforeAll(async () => {
  service = await TestService.start({ imports: [TestSkillsModule] });
  ada = await createClient(service, 'ada');
  eve = await createClient(service, 'eve');
});
afterAll(() => service.stop());

/** Sends a request with exactly these header lines; returns status and body. */
async function raw(headerLines: readonly string[], target = '/mcp'): Promise<{ status: number; text: string }> {
  const body = JSON.stringify(rpc('ping'));
  const socket = connect(Number(service.mcpUrl.port), '127.0.0.1');
  socket.end(
    Buffer.from(
      [
        `POST ${target} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${body.length}`,
        ...headerLines,
        '',
        body,
      ].join('\r\n'),
      'latin1',
    ),
  );
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

const openSession = ({ headers }: TestClient, more: Record<string, string> = {}) =>
  service.openSession('2025-11-25', { ...headers, ...more });

describe('a key is presented in one Authorization header, and nowhere else', () => {
  // 400: the endpoint requires a session, so the key was accepted.
  it('is accepted there', async () => {
    expect((await raw([`Authorization: Bearer ${ada.key}`])).status).toBe(400);
    expect((await raw([`aUTHORIZATION:   bearer   ${ada.key}  `])).status).toBe(400);
  });

  const refused: [string, () => readonly string[]][] = [
    ['a second Authorization header', () => [`Authorization: Bearer ${ada.key}`, `Authorization: Bearer ${eve.key}`]],
    ['the same header twice', () => [`Authorization: Bearer ${ada.key}`, `Authorization: Bearer ${ada.key}`]],
    ['a second one in other letters', () => [`Authorization: Bearer ${ada.key}`, `AUTHORIZATION: Basic eDp5`]],
    ['a second one that is empty', () => [`Authorization: Bearer ${ada.key}`, `authorization:`]],
    ['two keys with a comma', () => [`Authorization: Bearer ${ada.key}, Bearer ${eve.key}`]],
    ['two keys with a comma and no space', () => [`Authorization: Bearer ${ada.key},${eve.key}`]],
    ['two keys with a space', () => [`Authorization: Bearer ${ada.key} ${eve.key}`]],
    ['a tab after the scheme', () => [`Authorization: Bearer\t${ada.key}`]],
    ['a tab inside', () => [`Authorization: Bearer ${ada.key.slice(0, 9)}\t${ada.key.slice(9)}`]],
    ['a no-break space', () => [`Authorization: Bearer\u00a0${ada.key}`]],
    ['characters outside ASCII', () => [`Authorization: Bearer ${ada.key}\u00e9`]],
    ['Basic', () => [`Authorization: Basic ${Buffer.from(`ada:${ada.key}`).toString('base64')}`]],
    ['Basic with the key as it is', () => [`Authorization: Basic ${ada.key}`]],
    ['Digest', () => [`Authorization: Digest ${ada.key}`]],
    ['no scheme', () => [`Authorization: ${ada.key}`]],
    ['a key in quotes', () => [`Authorization: Bearer "${ada.key}"`]],
    ['a header of another name', () => [`X-Api-Key: ${ada.key}`]],
    ['Proxy-Authorization', () => [`Proxy-Authorization: Bearer ${ada.key}`]],
    ['a cookie', () => [`Cookie: authorization=Bearer ${ada.key}`]],
    ['X-Authorization', () => [`X-Authorization: Bearer ${ada.key}`]],
    ['an underscore', () => [`Authorization_: Bearer ${ada.key}`]],
    ['a name that a proxy forwards', () => [`X-Forwarded-Authorization: Bearer ${ada.key}`]],
  ];
  it.each(refused)('is refused with %s', async (_what, lines) => {
    const { status, text } = await raw(lines());
    expect(status).toBe(401);
    expect(text).toContain('WWW-Authenticate: Bearer realm="Agent Service", ');
    expect(text).toMatch(/"code":-32000/);
    expect(text).not.toContain(ada.key);
  });

  // Folded header lines are obsolete, and Node rejects the whole request.
  it.each([
    ['a folded line', () => ['Authorization: Bearer', ` ${ada.key}`]],
    ['a space before the colon', () => [`Authorization : Bearer ${ada.key}`]],
    ['a NUL character', () => [`Authorization: Bearer ${ada.key}\0`]],
    ['a bare carriage return', () => [`X-One: 1\rAuthorization: Bearer ${ada.key}`]],
    ['two lengths', () => [`Authorization: Bearer ${ada.key}`, 'Content-Length: 3']],
    ['a length and chunks', () => [`Authorization: Bearer ${ada.key}`, 'Transfer-Encoding: chunked']],
  ])('is not read at all with %s', async (_what, lines) => {
    expect((await raw(lines())).status).toBe(400);
  });

  it.each(['?api_key=', '?access_token=', '?authorization=Bearer%20', '?key='])('is not in %s', async (query) => {
    expect((await raw([], `/mcp${query}${ada.key}`)).status).toBe(401);
  });

  it.each(['//mcp', '/MCP', '/%6dcp', '/mcp%2f', '/mcp/..%2fmcp', '/./mcp', '/mcp;a=b'])(
    'is needed whatever the path looks like: %s',
    async (target) => {
      expect([401, 404]).toContain((await raw([], target)).status);
    },
  );
});

describe('the admin API accepts no key of a client', () => {
  it.each(['GET', 'POST', 'DELETE'])('for %s', async (method) => {
    for (const authorization of [
      `Bearer ${ada.key}`,
      `Basic ${Buffer.from(`ada:${ada.key}`).toString('base64')}`,
      `Basic ${Buffer.from(`admin:${ada.key}`).toString('base64')}`,
      `Bearer ${KEY}`,
    ]) {
      const res = await fetch(new URL('/admin/api/clients', service.origin), { method, headers: { authorization } });
      expect([401, 404, 429]).toContain(res.status);
    }
  });

  it.each(['ADA', 'ada%20', 'ada%00', 'ada%2f..%2feve', 'аda', 'ada.', '%61da/../eve', 'ad%C3%A1', '__proto__'])(
    'and knows no client called %s',
    async (name) => {
      const { status } = await service.admin(
        'DELETE',
        `clients/${name.includes('/') ? encodeURIComponent(name) : name}`,
      );
      expect([400, 404]).toContain(status);
      const { body } = await service.admin('GET', 'clients');
      expect((body['items'] as { name: string }[]).map((client) => client.name)).toEqual(['default', 'ada', 'eve']);
    },
  );
});

describe('a session belongs to the key that opened it', () => {
  const byDefault = () => ({ authorization: `Bearer ${KEY}` });
  const thieves: [string, () => { authorization: string }][] = [
    ['another client', () => eve.headers],
    ['the client default', byDefault],
  ];

  it.each(thieves)('and %s gets 404 for it, whatever it asks', async (_who, thief) => {
    const session = await openSession(ada);
    const stolen = { ...session, ...thief() };
    const sse = { accept: 'text/event-stream' };
    const [call, stream, resumed, ended] = [
      await service.post(rpc('tools/call', { name: 'echo', arguments: { text: 'hi' } }), stolen),
      await fetch(service.mcpUrl, { headers: { ...stolen, ...sse } }),
      await fetch(service.mcpUrl, { headers: { ...stolen, ...sse, 'last-event-id': 'get.0' } }),
      await fetch(service.mcpUrl, { method: 'DELETE', headers: stolen }),
    ];
    expect([call, stream, resumed, ended].map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(
      (await service.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, stolen))
        .status,
    ).toBe(404);
    expect((await service.post({ jsonrpc: '2.0', id: 1, result: {} }, stolen)).status).toBe(404);
    expect((await service.post(rpc('ping'), session)).status).toBe(200);
  });

  it('and the answer to a call is resumed by nobody else', async () => {
    const session = await openSession(ada);
    const called = service.post(
      {
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'count', arguments: { steps: 3 }, _meta: { progressToken: 1 } },
      },
      session,
    );
    const text = await (await called).text();
    const [, id = ''] = /^id: (\S+)/m.exec(text) ?? [];
    expect(id).not.toBe('');
    const foreign = await openSession(eve);
    const resume = (headers: Record<string, string>) =>
      fetch(service.mcpUrl, { headers: { ...headers, accept: 'text/event-stream', 'last-event-id': id } });
    expect((await resume({ ...session, ...eve.headers })).status).toBe(404);
    expect((await resume(foreign)).status).toBe(405);
    const mine = await resume(session);
    const messages: unknown[] = [];
    for await (const message of messagesOf(mine)) messages.push(message);
    expect(JSON.stringify(messages)).toContain('3 steps');
  });

  it.each([
    ['an id of its own', () => 'chosen-by-me'],
    ['the id of a session of another', async () => (await openSession(eve))['mcp-session-id'] ?? ''],
    ['a path', () => '../../etc/passwd'],
    ['__proto__', () => '__proto__'],
  ])('and cannot be fixed in advance with %s', async (_what, chosen) => {
    const id = await chosen();
    const session = await openSession(ada, { 'mcp-session-id': id });
    expect(session['mcp-session-id']).toMatch(/^[\da-f-]{36}$/);
    expect(session['mcp-session-id']).not.toBe(id);
    expect((await service.post(rpc('ping'), { ...ada.headers, 'mcp-session-id': id })).status).toBe(404);
  });

  it('and is found under its exact id only', async () => {
    const session = await openSession(ada);
    const id = session['mcp-session-id'] ?? '';
    for (const other of [id.toUpperCase(), `${id}0`, id.slice(1), `{${id}}`, id.replaceAll('-', ''), `${id}%00`]) {
      const { status } = await service.post(rpc('ping'), { ...session, 'mcp-session-id': other });
      expect([other, status]).toEqual([other, 404]);
    }
  });
});
