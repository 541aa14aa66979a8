import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openSession, startEndpoint, type TestEndpoint } from './testing.js';

const INFO = { name: 'test', version: '1' };

describe('a response stream that is over and forgotten', () => {
  let server: TestEndpoint;

  beforeEach(async () => void (server = await startEndpoint()));
  afterEach(() => server.stop());

  const open = () => openSession(server, '2025-11-25', { headers: { accept: 'text/event-stream' } });

  // Shows in 2025-11-25: get.stream-or-405
  it('is answered with 405, like one of another session, because 404 would mean that the session is lost', async () => {
    const [mine, other] = [await open(), await open()];
    await server.storage.journal.open('known', {
      sessionId: other['mcp-session-id'] ?? '',
      requestIds: [1],
      process: '',
    });
    for (const id of ['forgotten.7', 'known.0']) {
      const res = await fetch(server.url, { headers: { ...mine, 'last-event-id': id } });
      expect([res.status, res.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
      expect(await res.json()).toMatchObject({
        error: { code: -32000, message: expect.stringContaining('forgotten') as string },
      });
    }
    const gone = await fetch(server.url, { headers: { 'mcp-session-id': 'gone', 'last-event-id': 'forgotten.7' } });
    expect(gone.status).toBe(404);
  });

  it.each(['1', '2'] as const)(
    'lets the SDK (version %s) go on with its session, and without another try',
    async (version) => {
      const seen: string[] = [];
      const counted: typeof fetch = async (input, init) => {
        const res = await fetch(input, init);
        const { 'last-event-id': id } = Object.fromEntries(new Headers(init?.headers));
        seen.push(`${init?.method} ${id ?? ''} ${res.status}`);
        return res;
      };
      const url = new URL(server.url);
      const reconnectionOptions = {
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 2,
      };
      const options = { fetch: counted, reconnectionOptions };
      const errors: Error[] = [];
      const [client, transport] =
        version === '1'
          ? [new ClientV1(INFO), new TransportV1(url, options)]
          : [new ClientV2(INFO, { versionNegotiation: { mode: 'legacy' } }), new TransportV2(url, options)];
      client.onerror = (error) => void errors.push(error);
      await client.connect(transport);
      const { sessionId } = transport;
      await transport.resumeStream('forgotten.7');
      expect(await client.callTool({ name: 'echo', arguments: {} })).toMatchObject({ content: [{ text: '{}' }] });
      expect(transport.sessionId).toBe(sessionId);
      expect(errors).toEqual([]);
      expect(seen.filter((line) => line.includes('forgotten'))).toEqual(['GET forgotten.7 405']);
      await client.close();
    },
  );
});
