import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { DEFAULT_NAMESPACE } from '../src/features/memory/memory.rules.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { ApprovalExpiry } from '../src/features/workflows/runs/approval-expiry.service.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const ELICITATION = { elicitation: {} };
const WITH_TASKS = { elicitation: {}, extensions: { [TASKS]: {} } };
const QUESTION = 'May this be remembered?';
const POLICY = `@require_approval("${QUESTION}") permit(principal, action == Action::"callTool", resource == Tool::"memory_save");`;
const WORKFLOW_POLICY = `@require_approval("May it run?") permit(principal, action == Action::"callTool", resource == Tool::"remember");`;
const REMEMBER = `document:
  dsl: 1.0.1
  namespace: team
  name: remember
  version: 1.0.0
do:
  - note:
      set: { noted: true }
`;

type Message = Record<string, unknown>;

interface Answer {
  result: Message & { content?: { text: string }[]; isError?: boolean; requestState?: string; inputRequests?: Message };
  error?: { message: string };
}

describe('a call that a person must confirm', () => {
  let service: TestService;
  let key: string;
  let count = 0;
  TestService.forSuite(async (started) => {
    service = started;
    await service.app.get(WorkflowDefinitions, { strict: false }).save(REMEMBER, { source: 'admin' });
    key = String((await service.admin('POST', 'clients', { name: 'ada', groups: ['team'] })).body['key']);
    await service.admin('POST', 'policies', { name: 'ask-first', policy: POLICY });
    await service.admin('POST', 'policies', { name: 'ask-for-workflows', policy: WORKFLOW_POLICY });
  });

  const request = async (method: string, params: Message, capabilities: Message = {}): Promise<Answer> => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const res = await service.postStateless(method, { ...params, _meta }, { authorization: `Bearer ${key}` });
    return (await res.json()) as Answer;
  };
  const call = (name: string, args: Message, capabilities?: Message, more: Message = {}) =>
    request('tools/call', { name, arguments: args, ...more }, capabilities);
  const newNote = () => ({ key: `note-${(count += 1)}`, content: `content ${count}` });
  const saved = async (note: { key: string }) =>
    (await service.app.get(MemoryService, { strict: false }).find(DEFAULT_NAMESPACE, note.key))?.content;
  const runs = () => service.app.get(RunsService, { strict: false });
  const audited = async () => {
    await service.app.get(AuditLog, { strict: false }).flush();
    return (await service.admin('GET', 'audit?kind=call&limit=1')).body['items'] as Message[];
  };
  const accept = { 'policy-approval': { action: 'accept', content: {} } };

  it('is made once its user has, with the arguments that were shown, and the audit log says who it was', async () => {
    const note = newNote();
    const asked = await call('memory_save', note, ELICITATION);
    expect(JSON.stringify(asked.result.inputRequests)).toContain(QUESTION);
    expect(JSON.stringify(asked.result.inputRequests)).toContain(note.content);
    expect(await saved(note)).toBeUndefined();
    const { requestState } = asked.result;
    const made = await call('memory_save', note, ELICITATION, { requestState, inputResponses: accept });
    expect(made.result.isError ?? false).toBe(false);
    expect(await saved(note)).toBe(note.content);
    expect(await audited()).toMatchObject([{ subject: 'memory_save', approvedBy: 'ada', outcome: 'ok' }]);
  });

  it('is not made with other arguments than those that were shown', async () => {
    const note = newNote();
    const { requestState } = (await call('memory_save', note, ELICITATION)).result;
    const other = { ...note, content: 'something else' };
    const again = await call('memory_save', other, ELICITATION, { requestState, inputResponses: accept });
    expect(JSON.stringify(again.result.inputRequests)).toContain('something else');
    expect(await saved(note)).toBeUndefined();
  });

  it('is not made without the question, with a forged one, or with that of another tool', async () => {
    const note = newNote();
    expect(
      (await call('memory_save', note, ELICITATION, { inputResponses: accept })).result.inputRequests,
    ).toBeDefined();
    const forged = await call('memory_save', note, ELICITATION, { requestState: 'forged', inputResponses: accept });
    expect(forged.error).toBeDefined();
    const { requestState } = (await call('remember', {}, ELICITATION)).result;
    const other = await call('memory_save', note, ELICITATION, { requestState, inputResponses: accept });
    expect(other.error).toBeDefined();
    expect(await saved(note)).toBeUndefined();
  });

  it.each(['decline', 'cancel', 'nonsense'])('is not made after %s', async (action) => {
    const note = newNote();
    const { requestState } = (await call('memory_save', note, ELICITATION)).result;
    const inputResponses = { 'policy-approval': { action } };
    const { result } = await call('memory_save', note, ELICITATION, { requestState, inputResponses });
    expect([result.isError, result.content?.[0]?.text]).toEqual([
      true,
      expect.stringContaining('ada has not confirmed it'),
    ]);
    expect(await saved(note)).toBeUndefined();
  });

  it('is refused when policy has come to forbid it meanwhile', async () => {
    const note = newNote();
    const { requestState } = (await call('memory_save', note, ELICITATION)).result;
    const policy = 'forbid(principal in Group::"team", action, resource == Tool::"memory_save");';
    await service.admin('POST', 'policies', { name: 'no-more', policy });
    const { result } = await call('memory_save', note, ELICITATION, { requestState, inputResponses: accept });
    await service.admin('DELETE', 'policies/no-more');
    expect(result.content?.[0]?.text).toContain('policy no-more forbids');
    expect(await saved(note)).toBeUndefined();
  });

  it('is asked about again when policy has come to ask something else', async () => {
    const note = newNote();
    const { requestState } = (await call('memory_save', note, ELICITATION)).result;
    await service.admin('PUT', 'policies/ask-first', { policy: POLICY.replace(QUESTION, 'Really?') });
    const { result } = await call('memory_save', note, ELICITATION, { requestState, inputResponses: accept });
    await service.admin('PUT', 'policies/ask-first', { policy: POLICY });
    expect(JSON.stringify(result.inputRequests)).toContain('Really?');
    expect(await saved(note)).toBeUndefined();
  });

  it('asks the user of a session of the 2025 era', async () => {
    const note = newNote();
    const client = new ClientV1({ name: 'asker', version: '1' }, { capabilities: { elicitation: {} } });
    const questions: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return { action: 'accept', content: {} };
    });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(service.mcpUrl, { requestInit }));
    await client.callTool({ name: 'memory_save', arguments: note });
    await client.close();
    expect(questions).toEqual([expect.stringContaining(note.content)]);
    expect(await saved(note)).toBe(note.content);
  });

  describe('from a client that cannot ask', () => {
    const asking = async (name: string, args: Message) => {
      const { result } = await call(name, args);
      const id = /run:\/\/([0-9a-f]{32})/.exec(result.content?.[0]?.text ?? '')?.[1] ?? '';
      const [question] = await runs().questions(id);
      return { id, step: question?.step ?? '', message: question?.question.message };
    };
    const ended = async (id: string) => {
      await until(async () => (await runs().get(id)).endedAt !== null);
      return runs().get(id);
    };

    it('waits for an administrator, whose name is recorded', async () => {
      const note = newNote();
      const { id, step, message } = await asking('memory_save', note);
      expect(message).toContain(note.content);
      expect(await saved(note)).toBeUndefined();
      await service.admin('POST', `runs/${id}/answers`, { step, action: 'accept', content: {} });
      expect((await ended(id)).status).toBe('completed');
      expect(await saved(note)).toBe(note.content);
      expect(await audited()).toMatchObject([{ subject: 'memory_save', approvedBy: 'admin', run: id }]);
    });

    it('is not confirmed by the client itself', async () => {
      const note = newNote();
      const { id, step } = await asking('memory_save', note);
      const { result } = await call('run_answer', { id, step, action: 'accept', content: {} });
      expect([result.isError, result.content?.[0]?.text]).toEqual([
        true,
        expect.stringContaining('Only an administrator'),
      ]);
      expect(await saved(note)).toBeUndefined();
    });

    it('is refused when nobody confirms it in time', async () => {
      const note = newNote();
      const { id } = await asking('memory_save', note);
      const expiry = service.app.get(ApprovalExpiry, { strict: false });
      await expiry.tick(new Date(Date.now() + 59 * 60_000));
      expect((await runs().get(id)).questions).toBe(1);
      await expiry.tick(new Date(Date.now() + 61 * 60_000));
      expect(JSON.stringify((await ended(id)).output)).toContain('nobody confirmed it in time');
      expect(await saved(note)).toBeUndefined();
    });

    it('may be a workflow, which runs then', async () => {
      const { id, step } = await asking('remember', {});
      const inner = async () =>
        (await runs().listPage({ limit: 50, name: 'remember' })).items.filter((run) => run.id !== id);
      expect(await inner()).toEqual([]);
      await service.admin('POST', `runs/${id}/answers`, { step, action: 'accept', content: {} });
      expect((await ended(id)).status).toBe('completed');
      expect(await inner()).toMatchObject([{ program: 'workflow', status: 'completed', client: 'ada' }]);
    });
  });

  it('is a task that needs input, for a client with tasks', async () => {
    const note = newNote();
    const { taskId } = (await call('memory_save', note, WITH_TASKS)).result;
    const task = async () => (await request('tasks/get', { taskId }, WITH_TASKS)).result;
    await until(async () => (await task())['status'] === 'input_required');
    const [question] = Object.keys((await task()).inputRequests ?? {});
    const inputResponses = { [question ?? '']: { action: 'accept', content: {} } };
    await request('tasks/update', { taskId, inputResponses }, WITH_TASKS);
    await until(async () => (await task())['status'] === 'completed');
    expect(await saved(note)).toBe(note.content);
  });
});
