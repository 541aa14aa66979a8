import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { allowBrowser, isHostAllowed, isLoopbackHost, isOriginAllowed } from './request-headers.js';

describe('isLoopbackHost', () => {
  it.each(['localhost', 'LocalHost', 'a.localhost', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])(
    'says that %s means this machine',
    (name) => expect(isLoopbackHost(name)).toBe(true),
  );

  it.each([
    '',
    'example.com',
    'mylocalhost',
    'localhost.example.com',
    'local[host',
    'local]host',
    '126.255.255.255',
    '128.0.0.1',
    '127.0.0.1.example.com',
    '::2',
    '[::2]',
  ])('says that %s may mean another', (name) => expect(isLoopbackHost(name)).toBe(false));
});

describe('isOriginAllowed', () => {
  it.each<[string, string[]]>([
    ['https://a.example', ['https://a.example']],
    ['https://a.example', ['https://a.example/']],
    ['https://a.example', ['https://A.Example']],
    ['https://a.example', ['https://other.example', 'https://a.example', 'no URL']],
    ['https://a.example', ['no URL', 'https://a.example:443']],
    ['https://a.example:8443', ['https://a.example']],
    ['https://a.example:8443', ['https://a.example:8443/']],
    ['http://127.0.0.1:8080', ['http://127.0.0.1']],
    ['http://[::1]:8080', ['http://[::1]']],
    ['https://a.example', ['*']],
  ])('lets %s pass where %j are allowed', (origin, allowed) => expect(isOriginAllowed(origin, allowed)).toBe(true));

  it.each<[string, string[]]>([
    ['https://a.example', []],
    ['https://a.example', ['no URL']],
    ['https://a.example', ['https://b.example', 'https://example']],
    ['https://a.example', ['http://a.example']],
    ['https://b.a.example', ['https://a.example']],
    ['https://a.example', ['https://a.example:8443']],
    ['https://a.example:8444', ['https://a.example:8443', 'https://a.example:80/']],
    ['https://a.example:8444', ['https://a.example:44']],
    // A page in a sandbox, or from a file.
    ['null', ['*', 'null']],
  ])('stops %s where %j are allowed', (origin, allowed) => expect(isOriginAllowed(origin, allowed)).toBe(false));
});

describe('isHostAllowed', () => {
  const allowed = ['mcp.example', 'other.example'];

  it.each([
    'localhost',
    'localhost:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '[::1]:3000',
    'mcp.example',
    'mcp.example:80',
  ])('lets requests for %s pass', (host) => expect(isHostAllowed(host, allowed)).toBe(true));

  it.each([
    undefined,
    '',
    'mylocalhost',
    'localhost.example.com',
    'localhost:port',
    'localhost:3000.example.com',
    '127.0.0.1.example.com',
    '127.0.0.1@example.com',
    '1127.0.0.1',
    'evil.example',
    'a.mcp.example',
  ])('stops those for %s', (host) => expect(isHostAllowed(host, allowed)).toBe(false));

  it('stops those that name no host, whatever is allowed', () => {
    expect(isHostAllowed(undefined, ['undefined', ''])).toBe(false);
  });
});

describe('allowBrowser', () => {
  const headersFor = (method: string, headers: IncomingMessage['headers']) => {
    const req = new IncomingMessage(new Socket());
    Object.assign(req, { method, headers });
    const res = new ServerResponse(req);
    allowBrowser(req, res);
    return { ...res.getHeaders() };
  };
  const origin = 'https://a.example';
  const readable = {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate, Retry-After',
  };

  it('sends no headers to clients other than pages', () => {
    expect(headersFor('POST', {})).toEqual({});
    expect(headersFor('OPTIONS', {})).toEqual({});
  });

  it('lets a page read the answer', () => expect(headersFor('POST', { origin })).toEqual(readable));

  it('returns to a preflight what the page may send', () => {
    const preflight = {
      ...readable,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': 'Authorization',
      'access-control-max-age': '600',
    };
    expect(headersFor('OPTIONS', { origin })).toEqual(preflight);
    const asking = { origin, 'access-control-request-headers': 'mcp-session-id, content-type' };
    expect(headersFor('OPTIONS', asking)).toEqual({
      ...preflight,
      'access-control-allow-headers': 'mcp-session-id, content-type',
    });
  });
});
