import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { DEFAULT_NAMESPACE } from '../src/features/memory/memory.rules.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { ApprovalExpiry } from '../src/features/workflows/runs/approval-expiry.service.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { DescribedBodies } from './fuzz-admin/described-bodies.js';
import type { OpenApiDocument } from './fuzz-admin/operations.js';
import { answerIn } from './harness/stateless-message.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const ELICITATION = { elicitation: {} };
const WITH_VIEWS = { elicitation: {}, extensions: { 'io.modelcontextprotocol/ui': {} } };
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
    return answerIn<Answer>(
      await service.postStateless(method, { ...params, _meta }, { authorization: `Bearer ${key}` }),
    );
  };
  const call = (name: string, args: Message, capabilities?: Message, more: Message = {}) =>
    request('tools/call', { name, arguments: args, ...more }, capabilities);
  const newNote = () => ({ key: `note-${(count += 1)}`, content: `content ${count}` });
  const saved = async (note: { key: string }) =>
    (await service.app.get(MemoryService, { strict: false }).find(DEFAULT_NAMESPACE, note.key))?.content;
  const runs = () => service.app.get(RunsService, { strict: false });
  const audited = async (limit = 1) => {
    await service.app.get(AuditLog, { strict: false }).flush();
    return (await service.admin('GET', `audit?kind=call&limit=${limit}`)).body['items'] as Message[];
  };
  const ACCEPT = { action: 'accept', content: {} };
  /** Returns the run that a call has become, with its pending question. */
  const waiting = async ({ result }: Answer) => {
    const [id = ''] = /[0-9a-f]{32}/.exec(JSON.stringify(result)) ?? [];
    await until(async () => (await runs().questions(id)).length > 0);
    const [question] = await runs().questions(id);
    return { id, step: question?.step ?? '', message: question?.question.message };
  };
  const ended = async (id: string) => {
    await until(async () => (await runs().get(id)).endedAt !== null);
    return runs().get(id);
  };
  const confirm = ({ id, step }: { id: string; step: string }) =>
    service.admin('POST', `runs/${id}/answers`, { step, ...ACCEPT });

  describe.each([
    ['that can do nothing special', {}],
    ['that can ask its user', ELICITATION],
    ['with tasks', WITH_TASKS],
    ['with views', WITH_VIEWS],
  ])('by a client %s', (_what, capabilities) => {
    it('waits for an administrator, who sees the arguments and whose name is recorded', async () => {
      const note = newNote();
      const asked = await call('memory_save', note, capabilities);
      expect(asked.result.inputRequests).toBeUndefined();
      const run = await waiting(asked);
      expect(run.message).toContain(QUESTION);
      expect(run.message).toContain(note.content);
      expect(await saved(note)).toBeUndefined();
      await confirm(run);
      expect((await ended(run.id)).status).toBe('completed');
      expect(await saved(note)).toBe(note.content);
      const entries = (await audited(20)).filter((entry) => JSON.stringify(entry['arguments']).includes(note.content));
      expect(entries).toMatchObject([
        { subject: 'memory_save', approvedBy: 'person:admin', run: run.id, outcome: 'ok' },
      ]);
      expect((await confirm(run)).status).toBe(409);
    });
  });

  it('is a run that the administration shows as its OpenAPI document describes', async () => {
    const document = await (await service.askAdmin('GET', 'openapi.json')).json();
    const described = new DescribedBodies(document as OpenApiDocument);
    const run = await waiting(await call('memory_save', newNote(), WITH_TASKS));
    const deviations = [];
    for (const [url, path] of [
      [`runs/${run.id}`, '/admin/api/runs/{id}'],
      [`runs/${run.id}/steps`, '/admin/api/runs/{id}/steps'],
      ['runs/questions', '/admin/api/runs/questions'],
    ] as const) {
      const response = await service.askAdmin('GET', url);
      const contentType = response.headers.get('content-type') ?? '';
      const answer = { status: response.status, contentType, text: await response.text() };
      deviations.push(described.deviationOf({ method: 'GET', path }, answer));
    }
    expect(deviations).toEqual([null, null, null]);
    await confirm(run);
  });

  it('is a task that works on, for a client with tasks that cannot answer it', async () => {
    const { id, step } = await waiting(await call('memory_save', newNote(), WITH_TASKS));
    const { result } = await request('tasks/get', { taskId: id }, WITH_TASKS);
    expect(result).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('an administrator') as string,
    });
    expect(JSON.stringify(result)).not.toContain(step);
  });

  it('is refused when nobody confirms it in time', async () => {
    const note = newNote();
    const { id } = await waiting(await call('memory_save', note));
    const expiry = service.app.get(ApprovalExpiry, { strict: false });
    await expiry.tick(new Date(Date.now() + 59 * 60_000));
    expect((await runs().get(id)).questions).toBe(1);
    await expiry.tick(new Date(Date.now() + 61 * 60_000));
    expect(JSON.stringify((await ended(id)).output)).toContain('nobody confirmed it in time');
    expect(await saved(note)).toBeUndefined();
  });

  it('is in the audit log, too, when it is cancelled before', async () => {
    const note = newNote();
    const { id } = await waiting(await call('memory_save', note, WITH_TASKS));
    const told = async () => JSON.stringify((await audited(5)).map(({ outcome, arguments: args }) => [outcome, args]));
    expect(await told()).not.toContain(note.key);
    await request('tasks/cancel', { taskId: id }, WITH_TASKS);
    await until(async () => (await told()).includes(note.key));
    expect(await audited(5)).toContainEqual(
      expect.objectContaining({ subject: 'memory_save', client: 'ada', outcome: 'cancelled' }),
    );
  });

  it('may be a workflow, which runs then', async () => {
    const run = await waiting(await call('remember', {}));
    const inner = async () =>
      (await runs().listPage({ limit: 50, name: 'remember' })).items.filter(({ id }) => id !== run.id);
    expect(await inner()).toEqual([]);
    await confirm(run);
    expect((await ended(run.id)).status).toBe('completed');
    expect(await inner()).toMatchObject([{ program: 'workflow', status: 'completed', client: 'ada' }]);
  });

  it('is asked about again when policy now requires another approval', async () => {
    const note = newNote();
    const run = await waiting(await call('memory_save', note));
    await service.admin('PUT', 'policies/ask-first', { policy: POLICY.replace(QUESTION, 'Really?') });
    await confirm(run);
    await until(async () => (await runs().questions(run.id)).some(({ question }) => /Really/.test(question.message)));
    await service.admin('PUT', 'policies/ask-first', { policy: POLICY });
    expect(await saved(note)).toBeUndefined();
  });

  it('is refused when policy forbids it in the meantime', async () => {
    const note = newNote();
    const run = await waiting(await call('memory_save', note));
    const policy = 'forbid(principal in Group::"team", action, resource == Tool::"memory_save");';
    await service.admin('POST', 'policies', { name: 'no-more', policy });
    await confirm(run);
    const { output } = await ended(run.id);
    await service.admin('DELETE', 'policies/no-more');
    expect(JSON.stringify(output)).toContain('policy no-more forbids');
    expect(await saved(note)).toBeUndefined();
  });

  describe('by the user of the client, where the policy says so,', () => {
    beforeAll(() => service.admin('PUT', 'policies/ask-first', { policy: `@approver("user") ${POLICY}` }));
    afterAll(() => service.admin('PUT', 'policies/ask-first', { policy: POLICY }));

    /** Calls a tool, gets the elicitation, and returns what is sent with the answer. */
    const asked = async (note: Message, action: string) => {
      const { result } = await call('memory_save', note, ELICITATION);
      const [step = ''] = Object.keys(result.inputRequests ?? {});
      const answer = action === 'accept' ? ACCEPT : { action };
      return {
        text: JSON.stringify(result),
        more: { requestState: result.requestState, inputResponses: { [step]: answer } },
      };
    };

    it('is made once, however often the confirmation is sent', async () => {
      const note = newNote();
      const { text, more } = await asked(note, 'accept');
      expect(text).toContain(QUESTION);
      expect(text).toContain(note.content);
      expect(await saved(note)).toBeUndefined();
      const before = await service.admin('GET', 'audit?kind=call&outcome=ok&limit=1');
      for (let count = 0; count < 3; count += 1) {
        const { result } = await call('memory_save', note, ELICITATION, more);
        expect(result.isError ?? false).toBe(false);
      }
      expect(await saved(note)).toBe(note.content);
      const entries = await audited(20);
      const made = entries.filter((entry) => JSON.stringify(entry['arguments']).includes(note.content));
      expect(made).toMatchObject([{ run: expect.any(String) as string, outcome: 'ok', approvedBy: 'ada' }]);
      expect(before.status).toBe(200);
    });

    it('stays open after cancel, for an administrator', async () => {
      const note = newNote();
      const { more } = await asked(note, 'cancel');
      const run = await waiting(await call('memory_save', note, ELICITATION, more));
      await confirm(run);
      await ended(run.id);
      expect(await saved(note)).toBe(note.content);
    });

    it('is a task that needs input', async () => {
      const note = newNote();
      const { id, step } = await waiting(await call('memory_save', note, WITH_TASKS));
      const { result } = await request('tasks/get', { taskId: id }, WITH_TASKS);
      expect(Object.keys(result.inputRequests ?? {})).toEqual([step]);
      await request('tasks/update', { taskId: id, inputResponses: { [step]: ACCEPT } }, WITH_TASKS);
      await ended(id);
      expect(await saved(note)).toBe(note.content);
    });

    it.each([
      ['accept', 1],
      ['cancel', 0],
      ['an error', 0],
    ] as const)('is asked about in a session of the 2025 era, answered with %s', async (action, made) => {
      const note = newNote();
      const client = new ClientV1({ name: 'asker', version: '1' }, { capabilities: { elicitation: {} } });
      const questions: string[] = [];
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        questions.push(params.message);
        if (action === 'an error') throw new Error('nobody can be asked here');
        return action === 'accept' ? { action, content: {} } : { action };
      });
      await service.connect(client, key);
      const answer = JSON.stringify(await client.callTool({ name: 'memory_save', arguments: note }));
      await client.close();
      expect(questions).toEqual([expect.stringContaining(note.content)]);
      expect(await saved(note)).toBe(made ? note.content : undefined);
      expect(answer.includes('run://')).toBe(!made);
    });
  });
});
