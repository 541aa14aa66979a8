import { EventBus } from '../../src/events/event-bus.service.js';
import { type FeedServer, rssDocument } from '../feeds/feed-server.js';
import { KEY, type TestService } from '../support/service.js';

const MINUTE_MS = 60_000;

/** Uses the service as a team would, so that the pages have something to show. */
export async function useAsATeamWould(service: TestService): Promise<void> {
  pretendAnHourOfCalls(service, Date.now());
  await openSession(service, 'Cursor', '2025-06-18');
  await openSession(service, 'Visual Studio Code', '2025-11-25');
  for (let i = 0; i < 5; i += 1) await call(service, 'system_info', {}, { name: 'claude-code', version: '2.4.1' });
  await call(service, 'explode', {}, { name: 'codex-mcp-client', version: '0.61.0' });
  await call(service, 'echo', { text: 7 }, { name: 'codex-mcp-client', version: '0.61.0' });
}

/** Writes documents, and remembers. */
export async function rememberAsATeamWould(service: TestService): Promise<void> {
  const documents = [
    ['Deploying', '# Days\n\nWe deploy on Tuesdays and Thursdays, before noon.\n', ['ops', 'how-to']],
    ['On call', '# Alarms\n\nWho is on call may stop a deploy at any time.\n', ['ops']],
  ] as const;
  for (const [title, content, tags] of documents) await service.admin('POST', 'knowledge', { title, content, tags });
  const entry = { namespace: 'team', key: 'deploy-day', tags: ['ops'], importance: 4 };
  await service.admin('POST', 'memory', { ...entry, content: 'Deploys happen on Mondays.' });
  await service.admin('POST', 'memory', { ...entry, content: 'Deploys happen on Tuesdays and Thursdays.' });
  await service.admin('POST', 'memory', { key: 'freeze', content: 'No deploys in December.', expiresInDays: 40 });
}

/** Subscribes to feeds: one that goes well, one that fails. */
export async function readAsATeamWould(service: TestService, publisher: FeedServer): Promise<void> {
  await service.admin('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
  const text = 'What is new, what is gone, and how to move on from the version before.';
  publisher.publish(
    '/releases.xml',
    rssDocument('Release News', [
      { id: '2.1', text },
      { id: '2.0', text },
    ]),
  );
  publisher.publish('/advisories.xml', rssDocument('Security advisories', [{ id: '7', text }]));
  for (const path of ['/releases.xml', '/advisories.xml']) {
    await service.admin('POST', 'feeds', { url: publisher.url(path) });
  }
  publisher.answer('/advisories.xml', 503);
  await service.admin('POST', 'feeds/security-advisories/refresh');
}

function pretendAnHourOfCalls(service: TestService, nowMs: number): void {
  const events = service.app.get(EventBus);
  for (let ago = 59; ago > 0; ago -= 1) {
    const calls = Math.round(24 + 16 * Math.sin(ago / 7) + 6 * Math.sin(ago * 2.3));
    for (let i = 0; i < calls; i += 1) {
      events.emit('tool.called', {
        tool: 'echo',
        client: 'default',
        outcome: 'ok',
        durationMs: 4 + 3 * Math.sin(ago / 5) + (i % 10) * 1.5,
        message: null,
        at: new Date(nowMs - ago * MINUTE_MS),
      });
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
