import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { exchange } from './fuzz/exchange.js';
import { malformedRequest } from './fuzz/fuzz.js';
import type { MalformedRequest, Surroundings } from './fuzz/request-parts.js';
import { seedFrom } from './support/seed.js';
import { KEY, TestService } from './support/service.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const SEED = seedFrom('FUZZ_SEED');
const REQUESTS = 600;
const [STRAIGHT, BY_CONTROLLER] = ['/mcp', '/mcp/'];

/** Replaces what may differ between two responses to the same request: generated names, times, and counters. */
const leveled = (text: string): string =>
  text
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/gi, 'UUID')
    .replace(/^id: .*$/gm, 'id: ID')
    .replace(/\bDate: .*$/gm, 'Date: DATE')
    .replace(/\d+/g, 'N');

/** Returns the comparable parts of the responses to a request. */
async function answersTo(port: number, request: MalformedRequest): Promise<string> {
  const { answers } = await exchange(port, request);
  // A stream that stays open is read only briefly, and batch responses come in the order in which the calls end.
  const isFixed = (contentType: string, body: string) => contentType !== 'text/event-stream' && !body.startsWith('[');
  const texts = answers.map(({ head, contentType, body }) => `${head}\n${isFixed(contentType, body) ? body : ''}`);
  return leveled(texts.join('\n\n'));
}

function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
  return `${around(one)} and not ${around(other)}`;
}

describe('the straight way and that by the controller', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started), { imports: [TestSkillsModule] });

  const surroundings = async (): Promise<Surroundings> => {
    const ids = [];
    for (const version of ['2025-11-25', '2025-11-25', '2025-03-26'])
      ids.push((await service.openSession(version))['mcp-session-id'] ?? '');
    const [first = '', second = '', batchSessionId = ''] = ids;
    return { port: Number(service.mcpUrl.port), key: KEY, sessionIds: [first, second], batchSessionId };
  };

  it.each(['/mcp', '/admin/api/session', '/admin/api/none', '/admin', '/health', '/metrics'])(
    'answer requests for a whole address like those for its path (RFC 9112, section 3.2.2): %s',
    async (path) => {
      const { port } = service.mcpUrl;
      const answerTo = async (target: string) => {
        const asked = get({ port, path: target });
        const [response] = (await once(asked, 'response')) as [IncomingMessage];
        return [response.statusCode, response.headers['content-type'], leveled(await text(response))];
      };
      expect(await answerTo(`http://127.0.0.1:${port}${path}`)).toEqual(await answerTo(path));
    },
  );

  it('answer alike whatever they are sent', async () => {
    process.stdout.write(`FUZZ_SEED=${SEED}\n`);
    const [straight, byController] = [await surroundings(), await surroundings()];
    const complaints: string[] = [];
    let compared = 0;
    for (let index = 0; index < REQUESTS; index += 1) {
      const one = malformedRequest(SEED, index, straight);
      if (one.unfinished || !one.bytes.includes(` ${STRAIGHT} HTTP`)) continue;
      const other = malformedRequest(SEED, index, byController);
      const bytes = other.bytes.replaceAll(` ${STRAIGHT} HTTP`, ` ${BY_CONTROLLER} HTTP`);
      const before = await answersTo(straight.port, one);
      const between = await answersTo(straight.port, { ...other, bytes });
      // What the first request saves exists for the second.
      const after = between === before ? before : await answersTo(straight.port, one);
      if (between !== before && between !== after)
        complaints.push(`request ${index}, ${one.kind}: ${difference(between, after)}`);
      compared += 1;
    }
    expect(complaints.slice(0, 5)).toEqual([]);
    expect(compared).toBeGreaterThan(REQUESTS / 2);
  });

  const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  it.each<[string, string, RequestInit]>([
    ['without a key', 'POST', { headers: { 'content-type': 'application/json' }, body: ping }],
    ['with a wrong key', 'POST', { headers: { ...HEADERS, authorization: 'Bearer nope' }, body: ping }],
    ['from a foreign page', 'POST', { headers: { ...HEADERS, origin: 'https://evil.example' }, body: ping }],
    ['from its own page', 'POST', { headers: { ...HEADERS, 'sec-fetch-site': 'same-origin' }, body: ping }],
    ['of a probe for a stream', 'GET', { headers: HEADERS }],
    ['that ends nothing', 'DELETE', { headers: HEADERS }],
    ['by another method', 'PUT', { headers: HEADERS, body: ping }],
    ['for headers', 'HEAD', { headers: HEADERS }],
    ['before one of a page', 'OPTIONS', { headers: { origin: 'https://evil.example' } }],
    [
      'through a proxy that nobody trusts',
      'POST',
      { headers: { ...HEADERS, 'x-forwarded-for': '1.2.3.4' }, body: ping },
    ],
  ])('answer alike to a request %s', async (_what, method, init) => {
    const seen = await Promise.all(
      [STRAIGHT, BY_CONTROLLER].map(async (path) => {
        const res = await fetch(new URL(path, service.origin), { ...init, method });
        const headers = [...res.headers].filter(([name]) => name !== 'date');
        return [res.status, headers, await res.text()];
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
  });

  it('refuse alike what comes too often', async () => {
    const refused = async (path: string) => {
      await service.admin('PUT', 'config/mcp.rate_limit_per_minute', { value: 2 });
      const send = () => fetch(new URL(path, service.origin), { method: 'POST', headers: HEADERS, body: ping });
      const all = await Promise.all([send(), send(), send(), send()]);
      await service.admin('DELETE', 'config/mcp.rate_limit_per_minute');
      const last = all.find(({ status }) => status === 429);
      return [last?.headers.has('retry-after'), leveled((await last?.text()) ?? '')];
    };
    const straight = await refused(STRAIGHT);
    expect(straight).toEqual([true, expect.stringContaining('Too many requests')]);
    expect(straight).toEqual(await refused(BY_CONTROLLER));
  });

  it('serve a client in the same way when it is asked, gets progress, and cancels', async () => {
    const transcript = async (path: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      const client = new Client({ name: 'both', version: '1' }, { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        seen.push(params.message);
        return { action: 'accept', content: {} };
      });
      const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(path, service.origin), { requestInit }));
      seen.push(await client.callTool({ name: 'ask', arguments: {} }).catch(String));
      const onprogress = (progress: unknown) => void seen.push(progress);
      seen.push(await client.callTool({ name: 'count', arguments: { steps: 3 } }, undefined, { onprogress }));
      const stop = new AbortController();
      const hang = service.app.get(Hang, { strict: false });
      const hanging = client
        .callTool({ name: 'hang', arguments: {} }, undefined, { signal: stop.signal })
        .catch(String);
      await until(() => hang.running === 1);
      stop.abort();
      seen.push(await hanging);
      await until(() => hang.running === 0);
      await client.close();
      return seen;
    };
    const straight = await transcript(STRAIGHT);
    expect(straight).toEqual(await transcript(BY_CONTROLLER));
    expect(straight.length).toBeGreaterThan(6);
  });
});
