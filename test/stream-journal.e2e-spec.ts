import { jest } from '@jest/globals';
import { DEFAULT_TIMING } from '../libs/mcp-http/src/endpoint-options.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { Database } from '../src/platform/database/database.js';
import { describeOnEachDatabase } from './support/databases.js';
import { KEY, TestService } from './support/service.js';
import { until } from './support/until.js';

const READS = 300;
const CONTENT = 'x'.repeat(200_000);
const URI = 'memory://team/large';
/**
 * What all responses of one session may leave in the journal: a megabyte, what is written between two checks, and the last
 * responses.
 */
const LEFT_BYTES = (1024 + 256) * 1024 + CONTENT.length * 3;

type Headers = Record<string, string>;

interface Event {
  id: string;
  data: string;
}

describeOnEachDatabase('answers in event streams', (data) => {
  let service: TestService;

  beforeAll(async () => {
    // On a busy machine, recording a response may take longer than clients usually wait for it.
    jest.replaceProperty(DEFAULT_TIMING, 'journalWithinMs', 150_000);
    service = await TestService.start({ env: data.env });
    const memory = service.app.get(MemoryService, { strict: false });
    await memory.save({ namespace: 'team', key: 'large', content: CONTENT, client: 'default' });
  });
  afterAll(async () => {
    await service.stop({ keepData: true });
    jest.restoreAllMocks();
  });

  /** A client that accepts only event streams. */
  const read = (session: Headers, id: number, signal: AbortSignal | null = null) =>
    fetch(service.mcpUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${KEY}`,
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri: URI } }),
      signal,
    });
  const resume = (session: Headers, eventId: string) =>
    fetch(service.mcpUrl, {
      headers: { authorization: `Bearer ${KEY}`, accept: 'text/event-stream', ...session, 'last-event-id': eventId },
    });

  function eventsOf(text: string): Event[] {
    return [...text.matchAll(/^id: (.*)\ndata: (.*)$/gm)].map(([, id = '', event = '']) => ({ id, data: event }));
  }

  /** Returns the id of the first event of a response, before the result. */
  async function placeOf(res: Response): Promise<string> {
    let text = '';
    for await (const chunk of res.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      const id = /^id: (.*)\n/m.exec(text)?.[1];
      if (id !== undefined) return id;
    }
    throw new Error('it ended without an event');
  }

  async function leftBytes(): Promise<number> {
    const rows = await service.app.get(Database).selectFrom('mcp_stream_events').select('message').execute();
    return rows.reduce((sum, { message }) => sum + (message?.length ?? 0), 0);
  }

  it(`leave little behind when they were read, however many they were`, async () => {
    const session = await service.openSession();
    for (let id = 1; id <= READS; id += 1) {
      const [primer, answer] = eventsOf(await (await read(session, id)).text());
      expect([primer?.data, answer?.data.includes(CONTENT)]).toEqual(['', true]);
    }
    await until(async () => (await leftBytes()) <= LEFT_BYTES);
  });

  it('are available to a client whose connections were all closed at once', async () => {
    const session = await service.openSession();
    for (let id = 1; id <= 20; id += 1) await (await read(session, id)).text();
    const hangUp = new AbortController();
    const ids = [101, 102, 103, 104];
    const places = await Promise.all(ids.map(async (id) => placeOf(await read(session, id, hangUp.signal))));
    hangUp.abort();
    for (const [index, place] of places.entries()) {
      const [answer] = eventsOf(await (await resume(session, place)).text());
      expect(JSON.parse(answer?.data ?? '{}')).toMatchObject({
        id: ids[index],
        result: { contents: [{ text: CONTENT }] },
      });
    }
  });

  it('are available to a client that resumes the last of many', async () => {
    const session = await service.openSession();
    let place = '';
    for (let id = 1; id <= 20; id += 1) place = eventsOf(await (await read(session, id)).text())[0]?.id ?? '';
    const answers = eventsOf(await (await resume(session, place)).text());
    expect(answers.map(({ data: answer }) => (JSON.parse(answer) as { id: number }).id)).toEqual([20]);
  });
});
