import { createClient, type TestClient } from './support/client-keys.js';
import { TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';

interface Tool {
  name: string;
  use: string;
  policies: string[];
}

describe('what a client may use', () => {
  let service: TestService;
  let ada: TestClient;
  beforeAll(async () => {
    service = await TestService.start({ imports: [TestSkillsModule] });
    ada = await createClient(service, 'ada', { groups: ['people'] });
    await createClient(service, 'bot', { groups: ['robots'] });
  });
  afterAll(() => service.stop());

  const save = async (name: string, policy: string) => {
    const { status, body } = await service.admin('POST', 'policies', { name, policy });
    expect({ status, body }).toMatchObject({ status: 201 });
  };
  const toolsOf = async (client: string) =>
    new Map(
      ((await service.admin('GET', `clients/${client}/tools`)).body['items'] as Tool[]).map((tool) => [
        tool.name,
        { use: tool.use, policies: tool.policies },
      ]),
    );
  const PERMITTED = { use: 'allowed', policies: ['permit-all'] };

  it('is everything while no policy says otherwise, and of tools that are disabled nothing', async () => {
    await service.admin('PUT', 'skills/explode', { enabled: false });
    const tools = await toolsOf('bot');
    expect(tools.get('echo')).toEqual(PERMITTED);
    expect(new Set([...tools.values()].map(({ use }) => use))).toEqual(new Set(['allowed']));
    expect(tools.has('explode')).toBe(false);
  });

  it('follows the policies, for each client its own', async () => {
    await save('no-echo', 'forbid (principal in Group::"robots", action, resource == Tool::"echo");');
    await save(
      'bounds',
      'forbid (principal in Group::"robots", action == Action::"callTool", resource == Tool::"memory_save") ' +
        'unless { context.args has namespace && context.args.namespace == "robots" };',
    );
    await save(
      'ask',
      '@require_approval("May it?") permit (principal in Group::"robots", action, resource == Tool::"slowly");',
    );
    const [bot, other] = [await toolsOf('bot'), await toolsOf('ada')];
    expect(bot.get('echo')).toEqual({ use: 'refused', policies: ['no-echo'] });
    expect(bot.get('memory_save')).toEqual({ use: 'depends', policies: ['bounds'] });
    expect(bot.get('slowly')?.use).toBe('approval');
    expect(bot.get('memory_search')).toEqual(PERMITTED);
    expect(new Set([...other.values()].map(({ use }) => use))).toEqual(new Set(['allowed']));
  });

  it('is what the program may use that the client used last', async () => {
    await save(
      'no-cursor',
      'forbid (principal, action, resource == Tool::"echo") when { context.program == "Cursor" };',
    );
    expect((await toolsOf('ada')).get('echo')).toEqual(PERMITTED);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'Cursor', version: '2' } };
    await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, ada.headers);
    expect((await toolsOf('ada')).get('echo')).toEqual({ use: 'refused', policies: ['no-cursor'] });
  });

  it('is nothing without a policy that permits it', async () => {
    await service.admin('PUT', 'policies/permit-all', { enabled: false });
    expect((await toolsOf('default')).get('echo')).toEqual({ use: 'refused', policies: [] });
  });

  it('is not known of a client that does not exist', async () => {
    expect(await service.admin('GET', 'clients/nobody/tools')).toMatchObject({ status: 404 });
  });
});
