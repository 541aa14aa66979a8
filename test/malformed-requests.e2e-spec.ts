import { fuzz } from './fuzz/fuzz.js';
import type { Surroundings } from './fuzz/request-parts.js';
import { ServerProcess } from './harness/server-process.js';
import { describeOnEachDatabase } from './support/databases.js';
import { seedFrom } from './support/seed.js';
import { until } from './support/until.js';

/** Number of requests per database. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 3_000);
const SEED = seedFrom('FUZZ_SEED');
const HEAP_MARGIN_BYTES = 16 * 1_024 * 1_024;
const TIMEOUT_MS = 300_000 + REQUESTS * 60;

describeOnEachDatabase(`a server sent ${REQUESTS} malformed requests`, (data) => {
  let server: ServerProcess;
  let around: Surroundings;

  beforeAll(async () => {
    const key = 'a-key-for-the-fuzz-test';
    server = await ServerProcess.start({ env: { MCP_API_KEY: key, LOG_LEVEL: 'error', ...data.env } });
    around = await newSurroundings(server.port, key);
  });

  afterAll(() => server?.stop());

  it(
    'answers each with JSON-RPC, never with a 5xx other than 503, does not leak, and goes on serving',
    async () => {
      process.stdout.write(`FUZZ_SEED=${SEED}\n`);
      const warmUp = Math.floor(REQUESTS / 3); // so that one-time compilation and caching do not count as a leak
      const complaints = await fuzz(SEED, 0, warmUp, around);
      const heapBefore = await server.ask('heap');
      for (let from = warmUp; from < REQUESTS; from += SESSIONS_LAST) {
        Object.assign(around, await newSurroundings(around.port, around.key));
        complaints.push(...(await fuzz(SEED, from, Math.min(from + SESSIONS_LAST, REQUESTS), around)));
      }

      if (complaints.length > 0) process.stdout.write(`The last output of the server:\n${server.lastOutput}\n`);
      expect(complaints.slice(0, 20)).toEqual([]);
      expect(server.isRunning).toBe(true);
      // Dropped connections are detected asynchronously.
      await until(async () => (await server.ask('heap')) < heapBefore + HEAP_MARGIN_BYTES);
      expect(await listTools(around)).toEqual(expect.objectContaining({ tools: expect.any(Array) as unknown }));
    },
    TIMEOUT_MS,
  );
});

/** Opens new sessions after this many requests, because some requests end sessions. */
const SESSIONS_LAST = 500;

async function newSurroundings(port: number, key: string): Promise<Surroundings> {
  const batchSessionId = await openSession(port, key, '2025-03-26');
  return { port, key, sessionIds: [await openSession(port, key), await openSession(port, key)], batchSessionId };
}

async function openSession(port: number, key: string, protocolVersion = '2025-11-25'): Promise<string> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'fuzz', version: '1.0.0' } };
  const response = await post({ port, key }, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const sessionId = response.headers.get('mcp-session-id');
  if (!sessionId) throw new Error(`no session: ${response.status} ${await response.text()}`);
  return sessionId;
}

async function listTools({ port, key }: Surroundings): Promise<unknown> {
  const sessionId = await openSession(port, key); // the requests may have ended the first sessions
  const response = await post({ port, key, sessionId }, { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });
  const text = await response.text();
  const message = JSON.parse(text.slice(text.indexOf('{'))) as { result: unknown };
  return message.result;
}

function post(
  { port, key, sessionId }: { port: number; key: string; sessionId?: string },
  message: object,
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(sessionId && { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify(message),
  });
}
