import { sql } from 'kysely';
import { Database } from '../src/platform/database/database.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { ChangeLogStore } from '../src/entrypoints/mcp/change-log.store.js';
import { Housekeeping } from '../src/entrypoints/mcp/housekeeping.service.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { KEY, TestService } from './support/service.js';
import { until } from './support/until.js';

describe('while the database cannot be written', () => {
  let service: TestService;
  beforeAll(async () => (service = await TestService.start()));
  afterAll(() => service.stop());

  /** Collects the events of a session's GET stream as they come. */
  async function follow(): Promise<{ text: () => string; end: () => void }> {
    const session = await service.openSession();
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${KEY}`, accept: 'text/event-stream', ...session };
    const response = await fetch(service.mcpUrl, { headers, signal: stop.signal });
    let text = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
    })();
    reading.catch(() => undefined); // fails when the stream is ended
    return { text: () => text, end: () => stop.abort() };
  }
  const database = () => service.app.get(Database);

  it('remembers changes, and notifies clients when they can be recorded again', async () => {
    const stream = await follow();
    await until(() => service.app.get(McpTransport).endpoint.counts().streams === 1);
    await sql`alter table mcp_events rename to mcp_events_away`.execute(database());
    service.app.get(EventBus).emit('skills.changed', { names: ['x'] });
    service.app.get(EventBus).emit('resources.changed', { store: 'knowledge' });
    await new Promise((wake) => setTimeout(wake, 400));
    expect(stream.text()).not.toContain('list_changed');
    await sql`alter table mcp_events_away rename to mcp_events`.execute(database());
    await until(() => stream.text().includes('tools/list_changed') && stream.text().includes('resources/list_changed'));
    stream.end();
  }, 120_000);
});

describe('the log of changes', () => {
  let service: TestService;
  beforeAll(async () => (service = await TestService.start()));
  afterAll(() => service.stop());

  it('loses the oldest in the background', async () => {
    const log = service.app.get(ChangeLogStore, { strict: false });
    await log.append(...Array.from({ length: 10_050 }, () => ({ kind: 'prompts_list_changed' }) as const));
    await service.app.get(Housekeeping, { strict: false }).tick(new Date());
    const rows = service.app.get(Database).selectFrom('mcp_events').select('seq').orderBy('seq');
    const kept = (await rows.execute()).map(({ seq }) => seq);
    expect([kept.length, kept.at(-1)]).toEqual([10_000, await log.latest()]);
  });
});
