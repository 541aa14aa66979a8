import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { untilFreed } from '../../../test/support/garbage.js';
import { AddressGuard } from './address-guard.js';
import { HostNotAllowed, NoPublicAddress, UnsupportedUrl } from './outgoing-http.errors.js';
import type { OutgoingRequest } from './outgoing-http.service.js';
import { outgoingHttp, ScriptedResolver } from './testing.js';

const LOOPBACK = ['127.0.0.1'];
const options = (change: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  signal: new AbortController().signal,
  timeoutMs: 5000,
  maxBytes: 1000,
  ...change,
});
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

function compressedTo(response: ServerResponse) {
  const gzip = createGzip();
  gzip.pipe(response);
  return gzip;
}

describe('OutgoingHttp', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  let requests: IncomingMessage[];
  beforeEach(() => (requests = []));
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(listener: RequestListener): Promise<{ origin: string; port: number }> {
    const server = createServer((request, response) => {
      requests.push(request);
      listener(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { origin: `http://127.0.0.1:${port}`, port };
  }
  const hello = (_request: IncomingMessage, response: ServerResponse) => void response.end('hello');
  const redirectTo =
    (location: string, status = 302) =>
    (request: IncomingMessage, response: ServerResponse) =>
      void (request.url === '/' ? response.writeHead(status, { location }).end('moved') : response.end('there'));

  it('brings the response, and says who asks', async () => {
    const { origin } = await serve((_request, response) => void response.writeHead(201, { etag: '"1"' }).end('hello'));
    const http = await outgoingHttp(LOOPBACK);
    const response = await http.fetch(`${origin}/a?b=c`, options({ accept: 'text/plain' }));
    expect(response).toMatchObject({ status: 201, url: `${origin}/a?b=c`, redirects: [], headers: { etag: '"1"' } });
    expect(response.body.toString()).toBe('hello');
    expect(requests[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(requests[0]?.headers['user-agent']).toMatch(/^AgentService\/\d+\.\d+\.\d+/);
  });

  describe('connects to public addresses only', () => {
    it.each([
      'http://127.0.0.1/',
      'http://127.1/',
      'http://127.0.1:8080/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0x7f.0.0.1/',
      'http://0x7f.1/',
      'http://017700000001/',
      'http://0177.0.0.1/',
      'http://0177.0.0.01:80/',
      'http://127.0.0.1./',
      'http://１２７.０.０.１/',
      'http://127。0。0。1/',
      'http://①②⑦.⓪.⓪.①/',
      'http://%31%32%37.0.0.1/',
      'http://0/',
      'http://0.0.0.0:22/',
      'http://10.0.0.1/',
      'http://192.168.1.1:8443/',
      'http://172.16.0.1/',
      'http://100.64.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://2852039166/',
      'http://0xA9FEA9FE/',
      'http://0251.0376.0251.0376/',
      'http://255.255.255.255/',
      'http://224.0.0.1/',
      'http://[::]/',
      'http://[::1]/',
      'http://[0:0:0:0:0:0:0:1]:80/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
      'http://[::FFFF:169.254.169.254]/',
      'http://[0000:0000:0000:0000:0000:ffff:0a00:0001]/',
      'http://[::127.0.0.1]/',
      'http://[64:ff9b::127.0.0.1]/',
      'http://[2002:7f00:1::]/',
      'http://[fd00:ec2::254]/',
      'http://[fe80::1]/',
      'http://[ff02::1]/',
      'https://127.0.0.1/',
      'HTTP://127.0.0.1/',
    ])('not to %s', async (url) => {
      const http = await outgoingHttp([], new ScriptedResolver(['8.8.8.8']));
      await expect(http.fetch(url, options())).rejects.toThrow(HostNotAllowed);
    });

    it.each(['http://localhost/', 'http://LOCALHOST/', 'http://localhost./', 'http://xn--lcalhost-n1a.test/'])(
      'not to what %s stands for',
      async (url) => {
        for (const address of ['127.0.0.1', '::1', '10.9.8.7', '::ffff:10.9.8.7', 'fe80::1%eth0']) {
          const http = await outgoingHttp([], new ScriptedResolver([address]));
          await expect(http.fetch(url, options())).rejects.toThrow(NoPublicAddress);
        }
      },
    );

    it('not to a host with a private address among its public ones', async () => {
      const http = await outgoingHttp([], new ScriptedResolver(['8.8.8.8', '10.0.0.1']));
      await expect(http.fetch('http://mixed.test/', options())).rejects.toThrow(NoPublicAddress);
    });

    it('and says which address it was and which setting decides', async () => {
      const http = await outgoingHttp();
      await expect(http.fetch('http://10.0.0.1/', options())).rejects.toThrow(
        '10.0.0.1 is not a public address (private), and the service sends no requests there. ' +
          'If it should, an administrator adds "10.0.0.1" to the setting http.allowed_hosts.',
      );
    });

    it('and reports internal addresses to its log only, not to callers', async () => {
      const missing = new ScriptedResolver();
      missing.resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND intern.test'));
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      const told: unknown[] = [];
      for (const resolver of [new ScriptedResolver(['10.0.0.1']), new ScriptedResolver([]), missing]) {
        const http = await outgoingHttp([], resolver);
        told.push(await http.fetch('http://intern.test/', options()).catch((error: NoPublicAddress) => error));
      }
      expect(new Set(told.map(String)).size).toBe(1);
      expect(told.map((error) => ({ ...(error as object) }))).toEqual(told.map(() => ({ ...(told[0] as object) })));
      expect(String(told[0])).toContain('adds "intern.test" to the setting http.allowed_hosts');
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('intern.test is at 10.0.0.1, which is not a public'));
      warn.mockRestore();
    });

    it('and not to the metadata of a cloud, whatever range or name is allowed', async () => {
      const addresses = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'];
      const wide = ['0.0.0.0/0', '::/0', '169.254.0.0/16', '*.test', 'some.test', 'metadata.google.internal'];
      for (const address of [...addresses, 'fd00:ec2::254', 'fd20:ce::254', '::ffff:168.63.129.16']) {
        const http = await outgoingHttp(wide, new ScriptedResolver([address]));
        const literal = address.includes(':') ? `[${address}]` : address;
        await expect(http.fetch(`http://${literal}/`, options())).rejects.toThrow('(cloud metadata)');
        await expect(http.fetch('http://some.test/', options())).rejects.toThrow(NoPublicAddress);
      }
      const named = await outgoingHttp(wide, new ScriptedResolver(['10.0.0.1']));
      await expect(named.fetch('http://Metadata.Google.Internal./', options())).rejects.toThrow(NoPublicAddress);
    });

    it('unless the very address is allowed', () => {
      const guard = new AddressGuard(new ScriptedResolver(), ['169.254.169.254', 'fd00:ec2::254'], () => undefined);
      for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:169.254.169.254]']) guard.assertHost(host);
      guard.assertAddress('metadata.google.internal', '169.254.169.254');
      expect(() => guard.assertHost('169.254.169.253')).toThrow(HostNotAllowed);
    });

    it.each([301, 302, 303, 307, 308])('when a %i leads to a private one', async (status) => {
      const { origin } = await serve(redirectTo('http://169.254.169.254/latest', status));
      const http = await outgoingHttp(LOOPBACK);
      await expect(http.fetch(origin, options())).rejects.toThrow(HostNotAllowed);
      expect(requests).toHaveLength(1);
    });

    it('when a name leads elsewhere after it was checked', async () => {
      const { port } = await serve(redirectTo('/again'));
      const resolver = new ScriptedResolver(['127.0.0.1'], ['127.0.0.2']);
      const http = await outgoingHttp(LOOPBACK, resolver);
      await expect(http.fetch(`http://rebinding.test:${port}/`, options())).rejects.toThrow(NoPublicAddress);
      // Resolved once per connection: the checked address is the one that is connected to.
      expect(resolver.asked).toEqual(['rebinding.test', 'rebinding.test']);
      expect(requests).toHaveLength(1);
    });
  });

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/plain,x',
    'javascript:1',
    'example.com',
    'http://',
    'http://user:secret@example.com/',
    'http://example.com@127.0.0.1/',
    'http://127.0.0.1#@example.com:x@y/',
    'http://[fe80::1%25eth0]/',
    'http://[::1%lo]/',
    'http://999.1.1.1/',
    'http://1.2.3.4.5/',
    'http://example.com:99999/',
    '',
  ])('refuses the URL %s', async (url) => {
    const http = await outgoingHttp(['127.0.0.1'], new ScriptedResolver(['8.8.8.8']));
    const expected = url.includes('#@') ? code('http.connection_failed') : code('http.unsupported_url');
    await expect(http.fetch(url, options({ timeoutMs: 1000 }))).rejects.toEqual(expected);
  });

  it('keeps a password in a URL out of its message', async () => {
    const http = await outgoingHttp();
    const refusal = http.fetch('http://user:secret@example.com/', options());
    await expect(refusal).rejects.toThrow(UnsupportedUrl);
    await expect(refusal).rejects.not.toThrow('secret');
  });

  describe('reaches allowed hosts', () => {
    it.each([
      [['127.0.0.1'], '127.0.0.1'],
      [['127.0.0.0/8'], '127.0.0.1'],
      [['127.0.0.0/8'], 'some.test'],
      [['some.test'], 'some.test'],
      [['Some.Test.'], 'SOME.test.'],
      [['*.test'], 'some.test'],
      [['*.some.test'], 'deep.in.some.test'],
    ])('%j lets %s through', async (allowed, host) => {
      const { port } = await serve(hello);
      const http = await outgoingHttp(allowed, new ScriptedResolver(['127.0.0.1']));
      expect((await http.fetch(`http://${host}:${port}/`, options())).status).toBe(200);
    });

    it.each([
      [['some.test'], 'other.some.test'],
      [['*.some.test'], 'some.test'],
      [['*.some.test'], 'awesome.test'],
      [['test'], 'some.test'],
      [['10.0.0.0/8'], 'some.test'],
    ])('%j does not let %s through', async (allowed, host) => {
      const http = await outgoingHttp(allowed, new ScriptedResolver(['127.0.0.1']));
      await expect(http.fetch(`http://${host}/`, options())).rejects.toThrow(NoPublicAddress);
    });
  });

  it('is not told to reach everything', async () => {
    await expect(outgoingHttp(['*'], new ScriptedResolver([]))).rejects.toThrow('"*" cannot be used');
  });

  describe('follows redirects', () => {
    it('and tells them', async () => {
      const { origin } = await serve(redirectTo('/there', 301));
      const response = await (await outgoingHttp(LOOPBACK)).fetch(origin, options());
      expect(response).toMatchObject({
        url: `${origin}/there`,
        redirects: [{ status: 301, location: `${origin}/there` }],
      });
    });

    it('five times, or as often as asked', async () => {
      const { origin } = await serve((_request, response) => void response.writeHead(302, { location: '/' }).end());
      const http = await outgoingHttp(LOOPBACK);
      await expect(http.fetch(origin, options())).rejects.toEqual(code('http.too_many_redirects'));
      expect(requests).toHaveLength(6);
      await expect(http.fetch(origin, options({ maxRedirects: 0 }))).rejects.toEqual(code('http.too_many_redirects'));
      expect(requests).toHaveLength(7);
    });

    it('not to another protocol or with a password', async () => {
      const http = await outgoingHttp(LOOPBACK);
      for (const location of ['file:///etc/passwd', 'ftp://example.com', 'http://a:b@127.0.0.1/', 'http://[']) {
        const { origin } = await serve(redirectTo(location));
        await expect(http.fetch(origin, options())).rejects.toThrow(UnsupportedUrl);
      }
    });

    it('to addresses that are written in UTF-8', async () => {
      const { origin } = await serve(redirectTo(Buffer.from('/übersicht').toString('latin1')));
      const response = await (await outgoingHttp(LOOPBACK)).fetch(origin, options());
      expect(response.url).toBe(`${origin}/%C3%BCbersicht`);
    });

    const secrets = {
      Authorization: 'Bearer x',
      cookie: 'a=b',
      'X-Api-Key': 'k',
      'x-trace': 't',
      'accept-language': 'de',
    };

    it('with credentials for the same origin only', async () => {
      const other = await serve(hello);
      const away = await serve(redirectTo(`http://127.0.0.1:${other.port}/`));
      const near = await serve(redirectTo('/there'));
      const http = await outgoingHttp(LOOPBACK);
      await http.fetch(away.origin, options({ headers: secrets }));
      await http.fetch(near.origin, options({ headers: secrets }));
      const [, afterAway, , afterNear] = requests.map(({ headers }) => headers);
      expect(afterAway).toMatchObject({ 'accept-language': 'de' });
      for (const name of ['authorization', 'cookie', 'x-api-key', 'x-trace']) {
        expect(afterAway).not.toHaveProperty(name);
        expect(afterNear).toHaveProperty(name);
      }
    });

    it.each([
      [301, 'GET'],
      [302, 'GET'],
      [303, 'GET'],
      [307, 'POST'],
      [308, 'POST'],
    ])('of a POST by %i with %s', async (status, method) => {
      const { origin } = await serve(redirectTo('/there', status));
      const post = { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } };
      await (await outgoingHttp(LOOPBACK)).fetch(origin, options(post));
      expect([requests[1]?.method, 'content-type' in (requests[1]?.headers ?? {})]).toEqual([
        method,
        method === 'POST',
      ]);
    });
  });

  describe('takes no more than the limit', () => {
    const tooLarge = code('http.too_large');
    const encodings = [
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
    ] as const;

    it('of a body announced too large, or sent without end', async () => {
      const http = await outgoingHttp(LOOPBACK);
      const announced = await serve(
        (_request, response) => void response.writeHead(200, { 'content-length': 1001 }).write('x'),
      );
      await expect(http.fetch(announced.origin, options())).rejects.toEqual(tooLarge);
      const endless = await serve((_request, response) => {
        const pour = () => void (response.write('x'.repeat(500)) && !response.destroyed ? setImmediate(pour) : null);
        response.on('drain', pour);
        pour();
      });
      await expect(http.fetch(endless.origin, options())).rejects.toEqual(tooLarge);
    });

    it.each(encodings)('of a body unpacked from %s', async (encoding, compress) => {
      const bomb = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.alloc(200_000)));
      });
      const http = await outgoingHttp(LOOPBACK);
      await expect(http.fetch(bomb.origin, options())).rejects.toEqual(tooLarge);
    });

    it.each(encodings)('and reads %s', async (encoding, compress) => {
      const { origin } = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding.toUpperCase() }).end(compress('häuser'));
      });
      expect((await (await outgoingHttp(LOOPBACK)).fetch(origin, options())).body.toString()).toBe('häuser');
    });

    it('but not of a body that is only described', async () => {
      const described = { 'content-length': '5000000', 'content-encoding': 'gzip' };
      const { origin } = await serve(({ method }, response) => {
        response.writeHead(method === 'HEAD' ? 200 : 304, described).end();
      });
      const http = await outgoingHttp(LOOPBACK);
      for (const [method, status] of [
        ['HEAD', 200],
        ['GET', 304],
      ] as const) {
        const response = await http.fetch(origin, options({ method }));
        expect([response.status, response.body.length]).toEqual([status, 0]);
        expect(response.headers['content-length']).toBe('5000000');
      }
    });

    it('of one compressed twice', async () => {
      const twice = await serve((_request, response) => {
        const body = gzipSync(gzipSync(Buffer.alloc(900_000)));
        response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(body);
      });
      const http = await outgoingHttp(LOOPBACK);
      await expect(http.fetch(twice.origin, options())).rejects.toEqual(tooLarge);
    });

    it('and nothing of one compressed many times or in an unknown way', async () => {
      const http = await outgoingHttp(LOOPBACK);
      for (const encoding of ['gzip, gzip, gzip, gzip', 'zip']) {
        const { origin } = await serve(
          (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end('x'),
        );
        await expect(http.fetch(origin, options())).rejects.toEqual(code('http.connection_failed'));
      }
    });

    it('and accepts empty and cut bodies, and refuses broken ones', async () => {
      const http = await outgoingHttp(LOOPBACK);
      const answers: [number, Buffer][] = [
        [304, Buffer.alloc(0)],
        [200, Buffer.alloc(0)],
        [200, gzipSync('x'.repeat(500)).subarray(0, -4)],
      ];
      for (const [status, body] of answers) {
        const { origin } = await serve(
          (_request, response) => void response.writeHead(status, { 'content-encoding': 'gzip' }).end(body),
        );
        expect((await http.fetch(origin, options())).status).toBe(status);
      }
      const broken = await serve(
        (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('nonsense'),
      );
      await expect(http.fetch(broken.origin, options())).rejects.toEqual(code('http.connection_failed'));
    });
  });

  describe('waits no longer than the limit', () => {
    const timedOut = code('http.timed_out');

    it.each<[string, RequestListener]>([
      ['never answers', () => undefined],
      ['never ends', (_request, response) => void response.write('x')],
      [
        'redirects slowly',
        (_request, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 40),
      ],
      [
        'drips',
        (_request, response) => {
          const timer = setInterval(() => response.write('x'), 5);
          response.on('close', () => clearInterval(timer));
        },
      ],
    ])('for a server that %s', async (_title, listener) => {
      const { origin } = await serve(listener);
      const http = await outgoingHttp(LOOPBACK);
      await expect(http.fetch(origin, options({ timeoutMs: 100 }))).rejects.toEqual(timedOut);
    });

    it('for a look-up', async () => {
      const resolver = new ScriptedResolver();
      resolver.resolve = () => new Promise(() => undefined);
      const http = await outgoingHttp([], resolver);
      await expect(http.fetch('http://slow.test/', options({ timeoutMs: 50 }))).rejects.toEqual(timedOut);
    });

    it('and stops when the caller does', async () => {
      const controller = new AbortController();
      const { origin } = await serve(() => controller.abort(new Error('no longer wanted')));
      const http = await outgoingHttp(LOOPBACK);
      await expect(http.fetch(origin, options({ signal: controller.signal }))).rejects.toThrow('no longer wanted');
    });
  });

  describe('streams', () => {
    const textOf = async (chunks: AsyncIterable<Buffer>) => {
      let text = '';
      for await (const chunk of chunks) text += chunk.toString();
      return text;
    };

    it.each([
      ['plain', {}, (stream: ServerResponse) => stream],
      ['compressed', { 'content-encoding': 'gzip' }, (response: ServerResponse) => compressedTo(response)],
    ])('a %s body chunk by chunk, as it comes', async (_title, headers, open) => {
      let sendLast: () => void = () => undefined;
      const { origin } = await serve((_request, response) => {
        const stream = open(response.writeHead(200, headers));
        stream.write('first');
        if ('flush' in stream) stream.flush();
        sendLast = () => void stream.end('last');
      });
      const response = await (await outgoingHttp(LOOPBACK)).stream(origin, options());
      expect(response).toMatchObject({ status: 200, url: `${origin}/`, redirects: [] });
      const chunks = response.body[Symbol.asyncIterator]();
      expect(String((await chunks.next()).value)).toBe('first');
      sendLast();
      expect(String((await chunks.next()).value)).toBe('last');
      expect((await chunks.next()).done).toBe(true);
    });

    it('after redirects, and tells them', async () => {
      const { origin } = await serve(redirectTo('/there'));
      const response = await (await outgoingHttp(LOOPBACK)).stream(origin, options());
      expect(response.redirects).toEqual([{ status: 302, location: `${origin}/there` }]);
      expect(await textOf(response.body)).toBe('there');
    });

    /** Sends data every few milliseconds; `closed` resolves when the client has disconnected. */
    async function endless() {
      let close: () => void = () => undefined;
      const closed = new Promise<void>((resolve) => (close = resolve));
      const { origin } = await serve((_request, response) => {
        const timer = setInterval(() => response.write('x'.repeat(100)), 5);
        response.on('close', () => {
          clearInterval(timer);
          close();
        });
      });
      return { origin, closed };
    }

    it('no more than the limit, and then closes the connection', async () => {
      const { origin, closed } = await endless();
      const { body } = await (await outgoingHttp(LOOPBACK)).stream(origin, options());
      await expect(textOf(body)).rejects.toEqual(code('http.too_large'));
      await closed;
    });

    it('no longer than the limit, even if nobody reads', async () => {
      const { origin, closed } = await endless();
      const http = await outgoingHttp(LOOPBACK);
      const limits = options({ timeoutMs: 100, maxBytes: 1_000_000 });
      // On a busy machine the timeout may expire before the response starts.
      const read = http.stream(origin, limits).then(({ body }) => textOf(body));
      await expect(read).rejects.toEqual(code('http.timed_out'));
      await closed;
      const unread = await endless();
      await http.stream(unread.origin, limits).catch((error: unknown) => expect(error).toEqual(code('http.timed_out')));
      await unread.closed;
    });

    it('until the caller aborts, which closes the connection', async () => {
      const { origin, closed } = await endless();
      const controller = new AbortController();
      const limits = options({ signal: controller.signal, maxBytes: 1_000_000 });
      const { body } = await (await outgoingHttp(LOOPBACK)).stream(origin, limits);
      const chunks = body[Symbol.asyncIterator]();
      await chunks.next();
      controller.abort(new Error('no longer wanted'));
      await expect(textOf({ [Symbol.asyncIterator]: () => chunks })).rejects.toThrow('no longer wanted');
      await closed;
    });

    it('until the caller has read enough, which closes the connection', async () => {
      const { origin, closed } = await endless();
      const { body } = await (await outgoingHttp(LOOPBACK)).stream(origin, options());
      for await (const chunk of body) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      await closed;
    });

    it('nothing of what is announced too large or encoded in an unknown way', async () => {
      const http = await outgoingHttp(LOOPBACK);
      const large = await serve(
        (_request, response) => void response.writeHead(200, { 'content-length': 1001 }).write('x'),
      );
      await expect(http.stream(large.origin, options())).rejects.toEqual(code('http.too_large'));
      const odd = await serve(
        (_request, response) => void response.writeHead(200, { 'content-encoding': 'zip' }).end('x'),
      );
      await expect(http.stream(odd.origin, options())).rejects.toEqual(code('http.connection_failed'));
    });

    it('and says when the connection breaks', async () => {
      const { origin } = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('x');
        setTimeout(() => response.destroy(), 20);
      });
      const { body } = await (await outgoingHttp(LOOPBACK)).stream(origin, options());
      await expect(textOf(body)).rejects.toEqual(code('http.connection_failed'));
    });
  });

  it('looks a name up for every connection, even if it was right a moment ago', async () => {
    const { port } = await serve(hello);
    const resolver = new ScriptedResolver(['127.0.0.1'], ['169.254.169.254']);
    const http = await outgoingHttp(['127.0.0.1', '*.test'], resolver);
    expect((await http.fetch(`http://rebinding.test:${port}/`, options())).status).toBe(200);
    await expect(http.fetch(`http://rebinding.test:${port}/`, options())).rejects.toThrow(NoPublicAddress);
    expect(requests.map(({ headers }) => headers.connection)).toEqual(['close']);
  });

  it('ends a connection that is still being made when the caller aborts', async () => {
    const server = createTcpServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const controller = new AbortController();
    const { port } = server.address() as AddressInfo;
    const http = await outgoingHttp(LOOPBACK);
    const fetched = http.fetch(`https://127.0.0.1:${port}/`, options({ signal: controller.signal }));
    const [socket] = await accepted;
    controller.abort(new Error('no longer wanted'));
    await expect(fetched).rejects.toThrow('no longer wanted');
    server.close();
    await once(socket.resume(), 'close');
  });

  it('keeps nothing of a request that is over, even if its caller may abort it for ever', async () => {
    const { origin } = await serve((request, response) =>
      request.url === '/' ? void response.end('hello') : void request.socket.destroy(),
    );
    const http = await outgoingHttp(LOOPBACK);
    const stopping = new AbortController();
    const held: WeakRef<object>[] = [];
    for (const path of ['/', '/', '/', '/hangs-up', '/hangs-up', '/hangs-up']) {
      const given = options({ signal: stopping.signal });
      held.push(new WeakRef(given));
      await http.fetch(origin + path, given).catch(() => undefined);
    }
    await untilFreed(held);
    stopping.abort();
  });

  it('says of a server that hangs up that it cannot be reached', async () => {
    const { origin } = await serve((request) => request.socket.destroy());
    await expect((await outgoingHttp(LOOPBACK)).fetch(origin, options())).rejects.toThrow(
      "can't be reached: the server closed the connection",
    );
    expect(requests).toHaveLength(1);
  });

  it('takes the first of headers that count once, and joins the others', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, ['etag', '"1"', 'etag', '"2"', 'vary', 'a', 'vary', 'b', 'set-cookie', 'c=d']).end();
    });
    const { headers } = await (await outgoingHttp(LOOPBACK)).fetch(origin, options());
    expect(headers).toMatchObject({ etag: '"1"', vary: 'a, b', 'set-cookie': ['c=d'] });
  });

  it('says why there is no connection', async () => {
    const { origin } = await serve(hello);
    servers.splice(0).forEach((server) => server.close());
    const http = await outgoingHttp(LOOPBACK);
    await expect(http.fetch(origin, options())).rejects.toThrow(/can't be reached: connect ECONNREFUSED$/);
    const nowhere = await outgoingHttp([], new ScriptedResolver([]));
    await expect(nowhere.fetch('http://nowhere.test/', options())).rejects.toThrow(
      'nowhere.test has no public address',
    );
  });
});
