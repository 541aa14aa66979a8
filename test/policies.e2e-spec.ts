import { answerIn } from './harness/stateless-message.js';
import { createClient, type TestClient } from './support/client-keys.js';
import { KEY, TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const SAVE = 'resource == Tool::"memory_save"';

describe('policies', () => {
  let service: TestService;
  let key: string;
  TestService.forSuite(async (started) => {
    service = started;
    const { body } = await admin('POST', 'clients', { name: 'ada', groups: ['docs'] });
    key = String(body['key']);
  });
  afterEach(async () => {
    const { body } = await admin('GET', 'policies');
    for (const { name } of body['items'] as { name: string }[]) {
      if (name !== 'permit-all') await admin('DELETE', `policies/${name}`);
    }
    await admin('PUT', 'policies/permit-all', { enabled: true });
  });

  type Answer = Awaited<ReturnType<TestService['admin']>>;
  const admin = (method: string, path: string, body?: object): Promise<Answer> => service.admin(method, path, body);
  const add = (name: string, policy: string) => admin('POST', 'policies', { name, policy });
  const toldOf = (problems: unknown) =>
    (problems as { line: number; column: number; message: string }[]).map(
      ({ line, column, message }) => `${line}:${column} ${message}`,
    );
  const problemsOf = ({ body }: Answer) => toldOf(body['errors']);
  const warningsOf = async (policy: string) =>
    toldOf((await admin('POST', 'policies/check', { policy })).body['warnings']);

  const request = async (method: string, params: object, bearer = key) => {
    const res = await service.postStateless(method, params as Record<string, unknown>, {
      authorization: `Bearer ${bearer}`,
    });
    return answerIn<{ result: Record<string, unknown>; error?: { message: string } }>(res);
  };
  const call = async (name: string, args: object, bearer = key) => {
    const { result } = await request('tools/call', { name, arguments: args }, bearer);
    const [block] = result['content'] as { text: string }[];
    return { isError: result['isError'] === true, text: block?.text ?? '' };
  };
  const toolsOf = async (bearer = key) =>
    ((await request('tools/list', {}, bearer)).result['tools'] as { name: string }[]).map(({ name }) => name);

  it('permit everything at first, by a policy that can be seen', async () => {
    const { body } = await admin('GET', 'policies');
    expect(body['items']).toMatchObject([{ name: 'permit-all', effect: 'permit', enabled: true }]);
    expect((await call('memory_save', { key: 'k', content: 'c' })).isError).toBe(false);
  });

  it('give a skill package to one group only, by the template', async () => {
    const skill = Buffer.from('---\nname: salaries\ndescription: How we set salaries.\n---\nAsk Ada.\n');
    await admin('POST', 'skill-packages', { file: 'SKILL.md', base64: skill.toString('base64') });
    const { body } = await admin('GET', 'policies/templates');
    const templates = body['items'] as { name: string; policy: string }[];
    const template = templates.find(({ name }) => name === 'skill-package-of-a-group')?.policy ?? '';
    const gets = async (bearer: string) => [
      (await call('skill_read', { name: 'salaries' }, bearer)).isError,
      (await request('prompts/get', { name: 'salaries' }, bearer)).error !== undefined,
      (await request('resources/read', { uri: 'skill://salaries/SKILL.md' }, bearer)).error !== undefined,
      !JSON.stringify(await request('prompts/list', {}, bearer)).includes('salaries'),
    ];
    expect(await gets(KEY)).toEqual([false, false, false, false]);
    const policy = template.replaceAll('<skill package>', 'salaries').replaceAll('<group>', 'docs');
    expect((await add('salaries', policy)).status).toBe(201);
    expect(await gets(key)).toEqual([false, false, false, false]);
    expect(await gets(KEY)).toEqual([true, true, true, true]);
    await admin('DELETE', 'skill-packages/salaries');
  });

  it('are in force when they are saved, name themselves in refusals, and give advice', async () => {
    const policy = `@advice("Ask in #docs.") forbid(principal in Group::"docs", action, ${SAVE});`;
    expect((await add('no-saving', policy)).status).toBe(201);
    expect(await call('memory_save', { key: 'k', content: 'c' })).toEqual({
      isError: true,
      text: 'Not allowed: policy no-saving forbids this call of memory_save. Ask in #docs.',
    });
    expect(await toolsOf()).not.toContain('memory_save');
    expect(await toolsOf(KEY)).toContain('memory_save');
    await admin('DELETE', 'policies/no-saving');
    expect(await toolsOf()).toContain('memory_save');
  });

  it.each([
    ['a mistake of syntax', 'permit(principal, action', ['1:25 unexpected end of input']],
    ['an unknown type', 'permit(principal in Team::"x", action, resource);', ['1:21 unrecognized entity type `Team`']],
    ['an unknown action', 'permit(principal,\n action == Action::"run", resource);', ['2:12 unrecognized action']],
    ['an unknown tool', 'forbid(principal, action, resource == Tool::"deploi");', ['1:45 there is no Tool "deploi"']],
    ['an unknown group', 'forbid(principal in Group::"dox", action, resource);', ['1:28 there is no Group "dox"']],
    ['a wrong type', 'permit(principal, action, resource) when { context.hour > "a" };', ['1:59 unexpected type']],
    [
      'arguments of no particular tool',
      'permit(principal, action == Action::"callTool", resource) when { context.args has x };',
      ['1:66 attribute `args` in context'],
    ],
    ['something that is not supported', 'permit(principal, action, resource) when { ip("::1").isIpv6() };', ['1:1 ']],
    [
      'a number that is not exact',
      'permit(principal, action, resource) when { context.hour < 9007199254740993 };',
      ['1:1 '],
    ],
    [
      'two policies',
      'permit(principal, action, resource); permit(principal, action, resource);',
      ['1:38 unexpected token'],
    ],
    ['a template', 'permit(principal == ?principal, action, resource);', ['1:21 expected a static policy']],
  ])('are not saved with %s', async (_what, policy, problems) => {
    const answer = await add('wrong', policy);
    expect(answer).toMatchObject({ status: 400, body: { code: 'policies.invalid_policy' } });
    const found = problemsOf(answer);
    for (const [index, problem] of problems.entries()) expect(found[index]).toContain(problem);
  });

  it.each([
    ['brackets', `permit(principal, action, resource) when { ${'('.repeat(150)}true${')'.repeat(150)} };`],
    ['members', `permit(principal, action, resource) when { context${'.a'.repeat(1_000)} == 1 };`],
    ['sums', `permit(principal, action, resource) when { ${'1+'.repeat(1_000)}1 == 1 };`],
    ['lists', `permit(principal, action, resource) when { ${'['.repeat(200)}1${']'.repeat(200)} == 1 };`],
    ['characters', `permit(principal, action, resource) when { "${'a'.repeat(20_000)}" == "a" };`],
  ])('with very many %s are refused, and the next ones are read', async (_what, policy) => {
    expect((await add('wild', policy)).status).toBe(400);
    expect((await add('tame', 'forbid(principal, action, resource) when { false };')).status).toBe(201);
    expect(await toolsOf()).toContain('system_info');
  });

  it('warn when they can never apply', async () => {
    const { status, body } = await add('never', 'permit(principal, action == Action::"callTool", resource is Prompt);');
    expect([status, (body['warnings'] as { message: string }[])[0]?.message]).toEqual([
      201,
      expect.stringContaining('unable to find an applicable action'),
    ]);
  });

  it.each([
    ['action', 'resource', true],
    ['action in [Action::"callTool", Action::"readResource"]', 'resource', true],
    ['action == Action::"callTool"', 'resource', false],
    ['action', 'resource is Tool', false],
    ['action', 'resource == Tool::"memory_save"', false],
  ])('warn when nobody is asked about reads that they permit: %s, %s', async (action, resource, warns) => {
    const warnings = await warningsOf(`@require_approval("May it?") permit(principal, ${action}, ${resource});`);
    expect(warnings).toEqual(warns ? [expect.stringContaining('before calls only')] : []);
  });

  it.each([
    ['resource.kind == "package"', '1:69 there is no kind "package" of tools: write one of code, workflow, module'],
    ['"skill" != resource.kind', '1:52 there is no kind "skill"'],
    ['["module", "tool"].contains(resource.kind)', '1:63 there is no kind "tool"'],
    ['["module", "code"].contains(resource.kind) || resource.kind == "workflow"', null],
    ['resource.name == "package"', null],
  ])('warn of unknown kinds of tools: %s', async (condition, warning) => {
    const warnings = await warningsOf(`forbid(principal, action, resource is Tool) when { ${condition} };`);
    expect(warnings).toEqual(warning === null ? [] : [expect.stringContaining(warning)]);
  });

  it('are checked without being saved, and laid out', async () => {
    const { body } = await admin('POST', 'policies/check', { policy: 'permit(principal,action,resource);' });
    expect(body).toEqual({ errors: [], warnings: [], formatted: 'permit (principal, action, resource);\n' });
    expect((await admin('GET', 'policies')).body['items']).toHaveLength(1);
  });

  it('say what they would decide, also before they are saved', async () => {
    const draft = { name: 'hours', policy: `forbid(principal, action, ${SAVE}) when { context.hour < 8 };` };
    const test = (hour: number) =>
      admin('POST', 'policies/test', { client: 'ada', action: 'callTool', resource: 'memory_save', hour, draft });
    expect((await test(7)).body).toMatchObject({ allowed: false, policies: ['hours'] });
    expect((await test(9)).body).toMatchObject({ allowed: true, policies: ['permit-all'], message: null });
  });

  const listed = [{ name: 'hours', policy: 'permit(principal, action, resource);' }];
  it.each([[[]], [listed], ['hours'], [null], [{ name: 'hours' }], [{ name: 'hours', policy: 7 }]])(
    'are not taken from a draft that is %j',
    async (draft) => {
      const answer = await admin('POST', 'policies/dry-run', { draft });
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('draft')]);
    },
  );

  it('say what the latest calls would have got', async () => {
    await call('memory_save', { key: 'dry', content: 'run' });
    await call('system_info', {});
    const draft = { name: 'no-saving', policy: `forbid(principal in Group::"docs", action, ${SAVE});` };
    let changed: { client: string; tool: string; before: string; after: string }[] = [];
    // Calls are recorded asynchronously.
    await until(async () => {
      changed = (await admin('POST', 'policies/dry-run', { draft })).body['changed'] as typeof changed;
      return changed.some(({ tool, after }) => tool === 'memory_save' && after === 'refused');
    });
    // Calls in other tests were denied, and would be allowed now.
    const refused = changed.filter(({ after }) => after === 'refused');
    expect(new Set(refused.map(({ client, tool }) => `${client} ${tool}`))).toEqual(new Set(['ada memory_save']));

    const asking = { name: 'ask', policy: `@require_approval("Save?") permit(principal, action, ${SAVE});` };
    const { body: asked } = await admin('POST', 'policies/dry-run', { draft: asking });
    const waiting = (asked['changed'] as typeof changed).filter(({ after }) => after === 'confirmed');
    expect(waiting.length).toBeGreaterThan(0);
    expect(new Set(waiting.map(({ tool, before }) => `${tool} ${before}`))).toContain('memory_save allowed');
  });
});

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
