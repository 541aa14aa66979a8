import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpRequest, type RequestCall, STANDARD_ERRORS, standardError, WorkflowError } from '#open-workflow';
import { outgoingHttp } from '../../../platform/outgoing-http/testing.js';
import { HttpCalls } from './http-calls.service.js';
import { listenOnLoopback } from '../../../../test/support/loopback.js';

const SECRET = 'whisper-it';

describe('HttpCalls', () => {
  const servers: Server[] = [];
  let received: { request: IncomingMessage; body: string }[];
  beforeEach(() => (received = []));
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ request, body });
        answer(request, response);
      });
    });
    servers.push(server);
    return listenOnLoopback(server);
  }

  const asked = (url: string, change: Partial<HttpRequest> = {}): HttpRequest => ({
    method: 'post',
    url: `${url}/${SECRET}?key=${SECRET}`,
    headers: { authorization: `Bearer ${SECRET}` },
    body: `{"token":"${SECRET}"}`,
    followRedirects: false,
    ...change,
  });
  const call = (idempotencyKey = 'run-1:/do/0/send', signal = new AbortController().signal): RequestCall => ({
    idempotencyKey,
    signal,
    assertMayFollow: () => undefined,
  });
  const calls = async (allowed = ['127.0.0.1']) => new HttpCalls(await outgoingHttp(allowed));
  const problemOf = async (request: Promise<unknown>) => {
    const error = await request.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof WorkflowError)) throw new Error(`not the error of a workflow: ${String(error)}`);
    expect(JSON.stringify(error.problem) + String(error.stack)).not.toContain(SECRET);
    return { ...error.problem, type: error.problem.type.replace(STANDARD_ERRORS, '') };
  };

  it('sends the request with the key by which its receiver knows a repetition', async () => {
    const url = await serve((_request, response) => void response.writeHead(418, { 'x-pot': 'tea' }).end('short'));
    const response = await (await calls()).request(asked(url), call());
    expect([response.status, response.headers['x-pot'], Buffer.from(response.body).toString()]).toEqual([
      418,
      'tea',
      'short',
    ]);
    const [{ request, body } = { request: null, body: '' }] = received;
    expect([request?.method, request?.url, body]).toEqual([
      'POST',
      `/${SECRET}?key=${SECRET}`,
      `{"token":"${SECRET}"}`,
    ]);
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      'idempotency-key': 'run-1:/do/0/send',
    });
  });

  it('leaves an idempotency key that the workflow gives, and makes one of names that no header can hold', async () => {
    const url = await serve((_request, response) => void response.end());
    const sent = async (key: string, headers = {}) => {
      await (await calls()).request(asked(url, { headers }), call(key));
      return received.at(-1)?.request.headers['idempotency-key'];
    };
    expect(await sent('run:/do', { 'Idempotency-Key': 'mine' })).toBe('mine');
    const [first, other] = [await sent('run:/do/0/größer'), await sent('run:/do/0/größe')];
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(other).not.toBe(first);
    expect(await sent('run:/do/0/größer')).toBe(first);
    expect(await sent(`run:${'x'.repeat(300)}`)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('follows redirects when it is asked to, and hands them back otherwise', async () => {
    const url = await serve((request, response) =>
      request.url === '/there'
        ? void response.end('here')
        : void response.writeHead(302, { location: '/there' }).end('moved'),
    );
    const http = await calls();
    const returned = await http.request(asked(url), call());
    expect([returned.status, returned.headers['location']]).toEqual([302, '/there']);
    const followed = await http.request(asked(url, { followRedirects: true }), call());
    expect([followed.status, Buffer.from(followed.body).toString()]).toEqual([200, 'here']);
  });

  it('asks before each redirect, with what would be sent, and sends nothing where it is refused', async () => {
    const second = await serve((_request, response) => void response.writeHead(307, { location: elsewhere }).end());
    const first = await serve((_request, response) => void response.writeHead(307, { location: second }).end());
    const elsewhere = (await serve((_request, response) => void response.end())).replace('127.0.0.1', 'localhost');
    const asks: [string, boolean][] = [];
    const assertMayFollow: RequestCall['assertMayFollow'] = ({ url, headers }) => {
      asks.push([url, 'authorization' in headers]);
      if (url.startsWith('http://localhost')) throw standardError('authorization', 'not there');
    };
    const headers = { authorization: `Bearer ${SECRET}` };
    const request = asked(first, { followRedirects: true, headers });
    const sent = (await calls(['127.0.0.1', 'localhost'])).request(request, { ...call(), assertMayFollow });
    expect(await problemOf(sent)).toMatchObject({ type: 'authorization', status: 403, detail: 'not there' });
    expect(asks).toEqual([
      [`${second}/`, false],
      [`${elsewhere}/`, false],
    ]);
    expect(received).toHaveLength(2);
  });

  it('shows a list of cookies as one text', async () => {
    const url = await serve(
      (_request, response) => void response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(),
    );
    expect((await (await calls()).request(asked(url), call())).headers['set-cookie']).toBe('a=1, b=2');
  });

  describe('says what went wrong, and no secret', () => {
    it('when nobody answers there', async () => {
      const url = await serve(() => undefined);
      for (const server of servers) server.close();
      expect(await problemOf((await calls()).request(asked(url), call()))).toMatchObject({
        type: 'communication',
        status: 500,
        detail: `POST ${new URL(url).host} failed: connect ECONNREFUSED`,
      });
    });

    it('when the connection breaks', async () => {
      const url = await serve((request) => void request.socket.destroy());
      const { detail } = await problemOf((await calls()).request(asked(url), call()));
      expect(detail).toBe(`POST ${new URL(url).host} failed: the server closed the connection`);
    });

    it('when the response is too large', async () => {
      const url = await serve((_request, response) => void response.end(Buffer.alloc(5 * 1024 * 1024 + 1)));
      const { type, detail } = await problemOf((await calls()).request(asked(url), call()));
      expect([type, detail]).toEqual([
        'communication',
        `the response to POST ${new URL(url).host} is larger than 5 MB: ask for less at once`,
      ]);
    });

    it('when the address is not public, and how to allow it', async () => {
      const { type, detail } = await problemOf((await calls([])).request(asked('http://127.0.0.1:1'), call()));
      expect([type, detail]).toEqual(['communication', expect.stringContaining('the setting http.allowed_hosts')]);
    });

    it.each([
      ['not a URL', `nonsense ${SECRET}`, 'it is not a URL'],
      ['of another scheme', `ftp://${SECRET}.example/`, 'only http: and https: are requested'],
      ['with a password', `https://me:${SECRET}@x.example/`, 'leave out the user name and password'],
    ])('when the URL is %s', async (_title, url, reason) => {
      const request = asked('', { url });
      expect((await problemOf((await calls()).request(request, call()))).detail).toBe(
        `the URL of a request cannot be used: ${reason}`,
      );
    });

    it('when it is redirected in circles', async () => {
      const url = await serve((_request, response) => void response.writeHead(302, { location: `/${SECRET}` }).end());
      const { detail } = await problemOf((await calls()).request(asked(url, { followRedirects: true }), call()));
      expect(detail).toBe(`POST ${new URL(url).host} was redirected too often`);
    });

    it('when a header cannot be sent', async () => {
      const url = await serve((_request, response) => void response.end());
      const request = asked(url, { headers: { 'x-token': `${SECRET}\r\nx: y` } });
      expect((await problemOf((await calls()).request(request, call()))).detail).toContain('invalid x-token header');
    });

    it('when the time of the step is over', async () => {
      const url = await serve(() => undefined);
      const { type, status } = await problemOf((await calls()).request(asked(url), call('a', AbortSignal.timeout(20))));
      expect([type, status]).toEqual(['timeout', 408]);
    });
  });

  it('ends with its step, for the reason that the step has', async () => {
    const stop = new AbortController();
    const reason = new Error('the run was cancelled');
    const url = await serve(() => stop.abort(reason));
    await expect((await calls()).request(asked(url), call('a', stop.signal))).rejects.toBe(reason);
  });
});
