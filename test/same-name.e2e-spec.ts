import { answerIn } from './harness/stateless-message.js';
import { createClient, type TestClient } from './support/client-keys.js';
import { describeOnEachDatabase } from './support/databases.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const DEFINITION = `document: { dsl: 1.0.3, namespace: team, name: ask-first, version: 1.0.0, summary: Asks and saves. }
do:
  - ask:
      listen: { to: { one: { with: { type: person.answered } } } }
      metadata: { question: { message: 'Go on?', schema: { type: object, properties: {} } } }
  - keep: { call: memory_save, with: { key: heir, content: saved } }`;
const SKILL = { name: 'notes', description: 'How to write notes.', instructions: 'Write short.', files: [] };

describeOnEachDatabase('a client that is made under the name of one that was deleted', (data) => {
  let service: TestService;
  let runId: string;
  let heir: TestClient;

  async function call({ headers }: TestClient, name: string, args: object) {
    const response = await service.postStateless('tools/call', { name, arguments: args }, headers);
    const { result, error } = await answerIn<{
      result?: { content: { text: string }[] };
      error?: { message: string };
    }>(response);
    return result?.content.map(({ text }) => text).join('\n') ?? `error: ${error?.message}`;
  }
  const run = async () => (await service.admin('GET', `runs/${runId}`)).body;

  beforeAll(async () => {
    service = await TestService.start({ env: data.env });
    for (const key of ['workflows.authoring', 'packages.proposals', 'mcp.tool_timeout_ms'])
      await service.admin('PUT', `config/${key}`, { value: key === 'mcp.tool_timeout_ms' ? 2_000 : 'on' });
    const first = await createClient(service, 'heir');
    await call(first, 'workflow_propose', { definition: DEFINITION });
    const tried = await call(first, 'workflow_try', { name: 'ask-first', version: '1.0.0' });
    runId = /[0-9a-f]{32}/.exec(tried)?.[0] ?? tried;
    expect(await call(first, 'run_list', {})).toContain(runId);
    expect(await call(first, 'skill_propose', SKILL)).toContain('is proposed');
    await service.admin('DELETE', 'clients/heir');
    heir = await createClient(service, 'heir');
  });
  afterAll(() => service.stop());

  it('neither sees nor stops the runs of the other', async () => {
    expect(await call(heir, 'run_list', {})).toBe('There are no such runs.');
    for (const tool of ['run_status', 'run_cancel'])
      expect(await call(heir, tool, { id: runId })).toContain('There is no run');
    const task = await service.postStateless(
      'tasks/get',
      {
        taskId: runId,
        _meta: {
          'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
        },
      },
      heir.headers,
    );
    expect(await task.json()).toHaveProperty('error');
  });

  it('has proposed nothing', async () => {
    expect(await call(heir, 'workflow_try', { name: 'ask-first', version: '1.0.0' })).toContain(
      'there is no version 1.0.0',
    );
    expect(await call(heir, 'workflow_propose', { definition: `${DEFINITION}\n` })).toContain('document.version');
    expect(await call(heir, 'skill_propose', SKILL)).toContain('The skill notes is proposed.');
    const { items } = (await service.admin('GET', 'skill-package-proposals')).body;
    expect(items).toMatchObject([{ author: 'heir' }, { author: 'heir' }]);
    expect((await service.admin('GET', 'workflows/ask-first')).body).toMatchObject({ author: 'heir' });
  });

  it('is not the client that a run of the other one continues for', async () => {
    expect(await run()).toMatchObject({ client: 'heir', questions: 1 });
    const [{ step } = { step: '' }] = (await run())['openQuestions'] as { step: string }[];
    await service.admin('POST', `runs/${runId}/answers`, { step, action: 'accept', content: {} });
    await until(async () => (await run())['endedAt'] !== null);
    expect(await run()).toMatchObject({
      status: 'failed',
      error: { detail: expect.stringContaining('has no valid key any more') as string },
    });
  });
});
