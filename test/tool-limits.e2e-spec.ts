import { TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

type Body = Record<string, unknown>;

const CLIENT_WITH_TASKS = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
const workflow = (name: string, tasks: string) =>
  `document: { dsl: 1.0.3, namespace: test, name: ${name}, version: 1.0.0, summary: Is limited. }\ndo:\n${tasks}`;
const WAIT = workflow('wait_long', '  - pause: { wait: { days: 1 } }\n');
const LARGE = workflow('large', `  - say: { set: { text: ${'x'.repeat(5_000)} } }\n`);
const STEP = workflow('step', `  - say: { call: echo, with: { text: ${'y'.repeat(5_000)} } }\n`);

describe('the limits of one tool', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ imports: [TestSkillsModule] });
    for (const definition of [WAIT, LARGE, STEP]) await service.admin('POST', 'workflows', { definition });
  });
  afterAll(() => service.stop());

  const limit = (tool: string, limits: Body) => service.admin('PUT', `skills/${tool}`, limits);
  const post = async (method: string, params: Body) =>
    (await (await service.postStateless(method, params)).json()) as { result: Body };
  const call = async (name: string, args: Body = {}) => (await post('tools/call', { name, arguments: args })).result;
  const textOf = ({ content }: Body) => (content as { text: string }[])[0]?.text ?? '';

  it('stop a call in time, and say whose limit it was', async () => {
    expect((await limit('hang', { timeoutMs: 40 })).body).toMatchObject({ enabled: true, timeoutMs: 40 });
    const result = await call('hang');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe(
      'The tool hang did not finish within 40 ms and was stopped. Ask for less at once, or have the administrator raise ' +
        'the limit of the tool hang on its page under Skills.',
    );
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 30 });
    await limit('hang', { timeoutMs: null });
    expect(textOf(await call('hang'))).toContain('within 30 ms and was stopped');
    await limit('slowly', { timeoutMs: 10_000 });
    expect(textOf(await call('slowly', { steps: 2, stepMs: 40 }))).toBe('2 steps, slowly');
    await service.admin('DELETE', 'config/mcp.tool_timeout_ms');
  });

  it('replace a result that is too large, and record it as an error', async () => {
    await limit('echo', { maxResultBytes: 2_000 });
    expect(await call('echo', { text: 'x'.repeat(1_900) })).not.toHaveProperty('isError', true);
    const result = await call('echo', { text: 'é'.repeat(1_000) });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/^The result is too large: 20\d\d bytes of JSON, the limit is 2000\. Ask for less/);
    expect(textOf(result)).toContain('the limit of the tool echo');
    await until(async () => {
      const { calls, errors } = (await service.admin('GET', 'skills/echo')).body;
      return calls === 2 && errors === 1;
    });
  });

  it('allow one tool more than all others', async () => {
    await service.admin('PUT', 'config/mcp.max_result_bytes', { value: 65_536 });
    await limit('echo', { maxResultBytes: 100_000 });
    expect(await call('echo', { text: 'x'.repeat(99_900) })).not.toHaveProperty('isError', true);
    expect(textOf(await call('echo', { text: 'x'.repeat(100_000) }))).toContain('the limit is 100000');
    const session = await service.openSession();
    const params = { name: 'echo', arguments: { text: 'x'.repeat(99_900) } };
    const answer = await service.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session);
    expect(await answer.text()).toContain('x'.repeat(99_900));
    await limit('echo', { maxResultBytes: null });
    expect(textOf(await call('echo', { text: 'x'.repeat(65_536) }))).toContain('mcp.max_result_bytes');
    await service.admin('DELETE', 'config/mcp.max_result_bytes');
  });

  it('hold for workflows: how long a call waits, and how large its result is', async () => {
    // It would wait as long as all others may.
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 3_600_000 });
    await limit('wait_long', { timeoutMs: 3_000 });
    expect(textOf(await call('wait_long'))).toContain('run_status');
    await service.admin('DELETE', 'config/mcp.tool_timeout_ms');
    await limit('large', { maxResultBytes: 2_000 });
    expect(textOf(await call('large'))).toContain('the limit of the tool large');
  });

  it('hold for the task that a call goes on as', async () => {
    await limit('large', { maxResultBytes: 2_000, timeoutMs: 1 });
    const { result } = await post('tools/call', { name: 'large', arguments: {}, _meta: CLIENT_WITH_TASKS });
    let task: Body = result;
    while (task['status'] === 'working')
      task = (await post('tasks/get', { taskId: task['taskId'], _meta: CLIENT_WITH_TASKS })).result;
    expect(JSON.stringify(task)).toContain('the limit of the tool large');
  });

  it('hold for the steps of a workflow', async () => {
    await limit('echo', { maxResultBytes: 2_000 });
    expect(textOf(await call('step'))).toContain('the limit of the tool echo');
    await limit('echo', { maxResultBytes: null });
    expect(textOf(await call('step'))).toContain('yyyy');
  });

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: 3_600_001 },
    { timeoutMs: 1.5 },
    { timeoutMs: '5' },
    { maxResultBytes: 1_023 },
    { maxResultBytes: 268_435_457 },
    { enabled: null },
  ])('refuse %j', async (body) => {
    const before = (await service.admin('GET', 'skills/ask')).body;
    expect((await limit('ask', { ...body })).status).toBe(400);
    expect((await service.admin('GET', 'skills/ask')).body).toEqual(before);
  });

  it('stay as they are when the skill is disabled', async () => {
    await limit('explode', { timeoutMs: 1_234 });
    expect((await limit('explode', { enabled: false })).body).toMatchObject({ enabled: false, timeoutMs: 1_234 });
  });
});
