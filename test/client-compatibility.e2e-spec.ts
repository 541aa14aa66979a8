import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { Skill, type SkillHandler } from '#skill-kit';
import { SkillRegistry } from '../src/core/skills/skill.registry.js';
import { KEY, TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

describe('what breaks clients of other servers', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  // Shows in 2026-07-28: tools.order
  it('lists a thousand tools on one page, always in the same order', async () => {
    const registry = service.app.get(SkillRegistry);
    const list = async () => {
      const res = await service.postStateless('tools/list');
      const { result } = (await res.json()) as { result: { tools: { name: string }[]; nextCursor?: string } };
      return result;
    };
    const own = (await list()).tools.map((tool) => tool.name);
    const names = Array.from({ length: 1000 - own.length }, (_, index) => `tool_${String(index).padStart(3, '0')}`);
    registry.register(...names.map((name) => new (skillNamed(name))()));
    const [first, second] = [await list(), await list()];
    expect(first.nextCursor).toBeUndefined();
    expect(first.tools.map((tool) => tool.name)).toEqual([...own, ...names]);
    expect(second).toEqual(first);
    registry.register(new (skillNamed('one_more'))());
    expect((await list()).nextCursor).toEqual(expect.any(String));
    registry.remove('one_more', ...names);
  });

  it('answers the preflights of browsers, which carry no key', async () => {
    const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' };
    for (const path of ['/mcp', '/mcp/']) {
      const res = await fetch(new URL(path, service.origin), { method: 'OPTIONS', headers });
      expect([res.status, res.headers.get('access-control-allow-origin')]).toEqual([204, 'http://localhost:5173']);
    }
  });

  it('accepts a body of 1 MB', async () => {
    const args = { uri: 'x'.repeat(1_000_000) };
    expect(await service.call('resource_read', args)).toMatchObject({ isError: true });
  });

  it('offers only tools that every client can handle', async () => {
    const { body } = await service.admin('GET', 'skills');
    const items = body['items'] as { name: string; warnings: string[] }[];
    expect(items.length).toBeGreaterThan(1);
    expect(items.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('keeps a quiet listen stream open', async () => {
    const res = await service.postStateless('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await service.admin('PUT', 'skills/system_info', { enabled: false });
    const heard = await textUntil(res, 'tools/list_changed');
    expect(heard.indexOf('subscriptions/acknowledged')).toBeLessThan(heard.indexOf('tools/list_changed'));
    await service.admin('PUT', 'skills/system_info', { enabled: true });
  });

  it('notifies a returning client that a new version of the service changed the tools', async () => {
    const session = await service.openSession();
    service = await service.restart({ imports: [TestSkillsModule] });
    const stream = await fetch(service.mcpUrl, { headers: { authorization: `Bearer ${KEY}`, ...session } });
    expect(await textUntil(stream, 'tools/list_changed')).toContain('tools/list_changed');
  });

  it('keeps skills that the administrator disabled disabled after a restart', async () => {
    await service.admin('PUT', 'skills/system_info', { enabled: false });
    service = await service.restart();
    expect(await service.call('system_info')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('is disabled') as string }],
    });
  });
});

/** Reads a stream until an event arrives, then closes it. */
async function textUntil(res: Response, wanted: string): Promise<string> {
  let heard = '';
  for await (const chunk of res.body ?? []) {
    heard += Buffer.from(chunk as Uint8Array).toString();
    if (heard.includes(wanted)) break;
  }
  return heard;
}

function skillNamed(name: string) {
  @Skill({ name, description: 'Use this to fill a list.' })
  class Filler implements SkillHandler {
    execute(): string {
      return 'filled';
    }
  }
  return Filler;
}

describe('a client that accepts only JSON', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started), { imports: [TestSkillsModule] });

  it('learns from a tool at once what it would have been asked, and how it can be', async () => {
    const accept = { accept: 'application/json' };
    const params = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo: { name: 'script' } };
    const opened = await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, accept);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', ...accept };
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask', arguments: {} } };
    const answer = (await (await service.post(call, session)).json()) as { result: { content: { text: string }[] } };
    expect(answer).toMatchObject({ id: 2, result: { isError: true } });
    expect(answer.result.content[0]?.text).toContain('elicitation/create: no stream is open');
    expect(answer.result.content[0]?.text).toContain('Send Accept: application/json, text/event-stream');
  });
});

describe('the administrator sees connected programs', () => {
  let service: TestService;
  beforeEach(async () => void (service = await TestService.start()));
  afterEach(() => service.stop());

  const overview = async () => (await service.admin('GET', 'overview')).body;

  it('with sessions, and the stream that each holds open', async () => {
    const client = new ClientV1({ name: 'ide', version: '1.0.0' });
    await service.connect(client);
    await until(async () => (await overview())['streams'] === 1);
    const ide = { client: 'default', name: 'ide', version: '1.0.0', protocolVersion: '2025-11-25', streams: 1 };
    expect((await overview())['programs']).toEqual([{ ...ide, lastSeenAt: expect.any(String) as string }]);
    expect((await service.admin('GET', 'sessions')).body).toMatchObject({ items: [{ clientName: 'ide', streams: 1 }] });
    await client.close();
    await until(async () => (await overview())['streams'] === 0);
  });

  it('without sessions, and the streams that each holds open', async () => {
    const client = new ClientV2(
      { name: 'agent', version: '2.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, listChanged: { tools: { onChanged: () => {} } } },
    );
    await service.connectV2(client);
    await until(async () => (await overview())['streams'] === 1);
    expect((await overview())['programs']).toMatchObject([
      { name: 'agent', version: '2.0.0', protocolVersion: '2026-07-28', streams: 1 },
    ]);
    await client.close();
    await until(async () => (await overview())['streams'] === 0);
  });

  it('even when they do not say what they are', async () => {
    await service.postStateless('tools/list');
    expect((await overview())['programs']).toMatchObject([{ name: 'unknown', version: 'unknown', streams: 0 }]);
  });
});
