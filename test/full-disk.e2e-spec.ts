import { sql } from 'kysely';
import { Database } from '../src/database/database.js';
import { TestService } from './support/service.js';

describe('a full disk', () => {
  let service: TestService;
  beforeAll(async () => (service = await TestService.start()));
  afterAll(() => service.stop());

  const call = async (name: string, args: object) => {
    const response = await service.postStateless('tools/call', { name, arguments: args });
    return (await response.json()) as { result: { isError?: boolean; content: [{ text: string }] } };
  };
  /** The database may not grow further than it has, or may again. */
  const fillDisk = async (isFull: boolean) => {
    const database = service.app.get(Database);
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database);
    await sql.raw(`pragma max_page_count = ${isFull ? rows[0]?.page_count : 1_000_000}`).execute(database);
  };
  const openSession = async () => {
    const clientInfo = { name: 'x'.repeat(5_000), version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const response = await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const body = (await response.json()) as { error: { message: string } };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  };
  const LONG = 'word '.repeat(20_000);

  it('answers a call on a stream though the stream can’t be recorded', async () => {
    const session = await service.openSession();
    await fillDisk(true);
    const fill = async () => (await openSession()).status;
    for (let count = 0; count < 50 && (await fill()) === 200; count += 1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, id) => {
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'system_info', arguments: {} } };
        const response = await service.post(message, { ...session, accept: 'text/event-stream' });
        return [response.status, /"id":\d+/.exec(await response.text())?.[0]];
      }),
    );
    await fillDisk(false);
    expect(answers).toEqual(Array.from({ length: 20 }, (_, id) => [200, `"id":${id}`]));
  });

  it('stops saving with a clear word, loses nothing, and goes on when there is room', async () => {
    await call('knowledge_save', { title: 'Before', content: 'It was saved.' });
    await fillDisk(true);

    const { result } = await call('knowledge_save', { title: 'During', content: LONG });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(/the disk is full, and nothing was saved: make room/);

    const refused = await service.admin('POST', 'knowledge', { title: 'During', content: LONG });
    expect(refused).toMatchObject({ status: 503, body: { code: 'database.unavailable' } });

    const refusals = await Promise.all(Array.from({ length: 20 }, () => openSession()));
    const session = refusals.find(({ status }) => status !== 200);
    expect(session).toMatchObject({ status: 503, retryAfter: '10' });
    expect(session?.body.error.message).toContain('the disk is full');

    const { result: found } = await call('knowledge_search', { query: 'before' });
    expect(found.content[0].text).toContain('It was saved.');
    expect((await call('knowledge_search', { query: 'during' })).result.content[0].text).toContain('Nothing');

    await fillDisk(false);
    expect((await call('knowledge_save', { title: 'After', content: LONG })).result.isError).toBeUndefined();
  });
});
