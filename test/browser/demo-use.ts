import { Database } from '../../src/platform/database/database.js';
import { EventBus } from '../../src/platform/events/event-bus.service.js';
import { toolCalled } from '../../src/platform/events/testing.js';
import { type FeedServer, rssDocument } from '../feeds/feed-server.js';
import { KEY, type TestService } from '../support/service.js';
import { DOCUMENTS, FEEDS, MEMORIES } from './demo-content.js';

const MINUTE_MS = 60_000;

/** Uses the service as a team would, so that the pages have content. */
export async function useAsATeamWould(service: TestService): Promise<void> {
  pretendAnHourOfCalls(service, Date.now());
  await openSession(service, 'Cursor', '2025-06-18');
  await openSession(service, 'Visual Studio Code', '2025-11-25');
  for (let i = 0; i < 5; i += 1) await call(service, 'system_info', {}, { name: 'claude-code', version: '2.4.1' });
  await call(service, 'explode', {}, { name: 'codex-mcp-client', version: '0.61.0' });
  await call(service, 'echo', { text: 7 }, { name: 'codex-mcp-client', version: '0.61.0' });
}

/** Creates documents, removes one, and saves memories. */
export async function rememberAsATeamWould(service: TestService): Promise<void> {
  const database = service.app.get(Database);
  for (const { ageMs, ...document } of DOCUMENTS) {
    const { body } = await service.admin('POST', 'knowledge', document);
    const at = new Date(Date.now() - ageMs).toISOString();
    const given = { created_at: at, updated_at: at };
    await database.updateTable('knowledge_documents').set(given).where('id', '=', String(body['id'])).execute();
  }
  const draft = { title: 'How we deployed on Fridays', content: 'We no longer do.', tags: ['ops'] };
  const { body } = await service.admin('POST', 'knowledge', draft);
  await service.admin('DELETE', `knowledge/${String(body['id'])}`);
  for (const { ageMs, client, ...entry } of MEMORIES) {
    await service.admin('POST', 'memory', entry);
    const given = { client, updated_at: new Date(Date.now() - ageMs).toISOString() };
    await database.updateTable('memory_entries').set(given).where('key', '=', entry.key).execute();
  }
}

/** Subscribes to feeds; the last one fails, and one is paused. */
export async function readAsATeamWould(service: TestService, publisher: FeedServer): Promise<void> {
  await service.admin('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
  const database = service.app.get(Database);
  for (const { path, url, title, items } of FEEDS) {
    publisher.publish(path, rssDocument(title, items));
    const { body } = await service.admin('POST', 'feeds', { url: publisher.url(path) });
    const id = String(body['id']);
    if (path === FEEDS.at(-1)?.path) {
      publisher.answer(path, 503);
      await service.admin('POST', `feeds/${id}/refresh`);
    }
    // Shown with its URL on the web; nothing is fetched from there while the pages are shown.
    const given = {
      url,
      site_url: new URL('/', url).href,
      next_poll_at: new Date(Date.now() + 25 * MINUTE_MS).toISOString(),
    };
    await database.updateTable('feeds').set(given).where('id', '=', id).execute();
  }
  await service.admin('PATCH', 'feeds/database-news', { paused: true });
}

function pretendAnHourOfCalls(service: TestService, nowMs: number): void {
  const events = service.app.get(EventBus);
  for (let ago = 59; ago > 0; ago -= 1) {
    const calls = Math.round(24 + 16 * Math.sin(ago / 7) + 6 * Math.sin(ago * 2.3));
    for (let i = 0; i < calls; i += 1) {
      const durationMs = 4 + 3 * Math.sin(ago / 5) + (i % 10) * 1.5;
      events.emit('tool.called', toolCalled({ tool: 'echo', durationMs, at: new Date(nowMs - ago * MINUTE_MS) }));
    }
  }
}

async function openSession(service: TestService, name: string, protocolVersion: string): Promise<void> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name, version: '1.9.0' } };
  await (await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).text();
}

async function call(service: TestService, name: string, args: object, clientInfo: object): Promise<void> {
  const _meta = { 'io.modelcontextprotocol/clientInfo': clientInfo };
  const params = { name, arguments: args, _meta };
  await (await service.postStateless('tools/call', params, { authorization: `Bearer ${KEY}` })).text();
}

/** Creates the accounts of a team of administrators. */
export async function administerAsATeamWould(service: TestService): Promise<void> {
  for (const [name, role] of [
    ['ada', 'editor'],
    ['grace.hopper', 'admin'],
    ['status-page', 'viewer'],
  ]) {
    await service.admin('POST', 'administrators', { name, role });
  }
  const company = { name: 'company', title: 'Example Corp', issuer: 'https://login.example.com', clientId: 'agents' };
  await service.admin('POST', 'login-providers', company);
}
