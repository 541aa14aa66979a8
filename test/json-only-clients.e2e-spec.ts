import { TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';

describe('a client that accepts only JSON', () => {
  let service: TestService;
  beforeAll(async () => (service = await TestService.start({ imports: [TestSkillsModule] })));
  afterAll(() => service.stop());

  it('hears from a tool at once what it would have been asked, and how it can be', async () => {
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
