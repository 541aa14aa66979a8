import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { ChangeLogStore } from '../src/entrypoints/mcp/change-log.store.js';
import { Housekeeping } from '../src/entrypoints/mcp/housekeeping.service.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { Database } from '../src/platform/database/database.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { KEY, TestService } from './support/service.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const call = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 'seven',
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('the end of a session', () => {
  let service: TestService;
  let session: Record<string, string>;
  TestService.forSuite((started) => (service = started), { imports: [TestSkillsModule] });
  beforeEach(async () => void (session = await service.openSession()));

  const idOf = () => session['mcp-session-id'] ?? '';
  const endings = {
    'an administrator ends it': () => service.admin('DELETE', `sessions/${idOf()}`),
    'its client ends it': () =>
      fetch(service.mcpUrl, { method: 'DELETE', headers: { authorization: `Bearer ${KEY}`, ...session } }),
  };

  it.each(Object.entries(endings))('answers its calls when %s', async (_who, end) => {
    const hang = service.app.get(Hang);
    const response = service.post(call('hang'), session);
    await until(() => hang.running === 1);
    expect((await end()).status).toBeLessThan(300);
    const res = await response;
    expect([res.status, await res.json()]).toMatchObject([404, { id: 'seven', error: { code: -32001 } }]);
    await until(() => hang.running === 0);
    expect((await service.post(call('system_info'), session)).status).toBe(404);
  });

  it('comes when it is unused, not while a stream is open', async () => {
    const headers = { authorization: `Bearer ${KEY}`, ...session };
    const stream = await fetch(service.mcpUrl, { headers });
    await service.admin('PUT', 'config/mcp.session_idle_ms', { value: 1_000 });
    const unused = await service.openSession();
    const housekeeping = service.app.get(Housekeeping);
    const isThere = async (id = '') => {
      await housekeeping.tick(new Date());
      const { items } = (await service.admin('GET', 'sessions?limit=100')).body as { items: { id: string }[] };
      return items.some((item) => item.id === id);
    };
    await until(async () => !(await isThere(unused['mcp-session-id'])));
    expect(await isThere(idOf())).toBe(true);
    await stream.body?.cancel();
    await service.admin('DELETE', 'config/mcp.session_idle_ms');
  });
});

describeOnNewPostgres('streams on PostgreSQL', (database) => {
  it('whose clients hang up while they open leave nothing behind', async () => {
    const service = await TestService.start({ env: { DATABASE_URL: database.url } });
    const { endpoint } = service.app.get(McpTransport);
    const session = await service.openSession();
    const headers = { authorization: `Bearer ${KEY}`, ...session };
    for (let count = 0; count < 40; count += 1) {
      const hangUp = new AbortController();
      const opening = fetch(service.mcpUrl, { headers, signal: hangUp.signal }).then(
        (res) => res.text(),
        () => 'gone',
      );
      // At a different moment each time.
      await setTimeout(count / 4);
      hangUp.abort();
      await opening.catch(() => 'gone');
    }
    await until(() => endpoint.counts().arriving === 0 && endpoint.counts().streams === 0);
    await service.stop();
  });
});

describe('while the database cannot be written', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  /** Collects the events of a session's GET stream as they arrive. */
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
    reading.catch(() => undefined); // rejects when the stream is closed
    return { text: () => text, end: () => stop.abort() };
  }
  const database = () => service.app.get(Database);

  it('remembers changes, and notifies clients when they can be recorded again', async () => {
    const stream = await follow();
    await until(() => service.app.get(McpTransport).endpoint.counts().streams === 1);
    await sql`alter table mcp_events rename to mcp_events_away`.execute(database());
    service.app.get(EventBus).emit('skills.changed', { names: ['x'] });
    service.app.get(EventBus).emit('resources.changed', { store: 'knowledge' });
    await setTimeout(400);
    expect(stream.text()).not.toContain('list_changed');
    await sql`alter table mcp_events_away rename to mcp_events`.execute(database());
    await until(() => stream.text().includes('tools/list_changed') && stream.text().includes('resources/list_changed'));
    stream.end();
  });
});

describe('the log of changes', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  it('loses the oldest in the background', async () => {
    const log = service.app.get(ChangeLogStore, { strict: false });
    await log.append(...Array.from({ length: 10_050 }, () => ({ kind: 'prompts_list_changed' }) as const));
    await service.app.get(Housekeeping, { strict: false }).tick(new Date());
    const rows = service.app.get(Database).selectFrom('mcp_events').select('seq').orderBy('seq');
    const kept = (await rows.execute()).map(({ seq }) => seq);
    expect([kept.length, kept.at(-1)]).toEqual([10_000, await log.latest()]);
  });
});
