import { Administrators } from '../src/access/accounts/administrators.service.js';
import { DEFAULT_NAMESPACE } from '../src/features/memory/memory.rules.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { answerIn } from './harness/stateless-message.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

type Message = Record<string, unknown>;

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const VIEWS = { extensions: { 'io.modelcontextprotocol/ui': {} } };
const QUESTIONS = { elicitation: {} };
const EVERYTHING = { ...QUESTIONS, extensions: { ...TASKS.extensions, ...VIEWS.extensions } };
const PASSWORD = 'a-password-of-a-person';
const ACCEPT = { action: 'accept', content: {} };
const TOKEN = 'agent-service/answer-token';
const policyOf = (approver: string) =>
  `${approver} @require_approval("Really?") permit(principal, action == Action::"callTool", resource == Tool::"memory_save");`;

/** A call that waits for a person, and what its caller received. */
interface Waiting {
  id: string;
  step: string;
  note: { key: string; content: string };
  requestState: unknown;
}

/** Who answers: a client with its capabilities, or a person in the administration. */
type Caller = { client: 'owner' | 'other'; capabilities: Message } | { person: string };

const OWNER = (capabilities: Message): Caller => ({ client: 'owner', capabilities });
const OTHER = (capabilities: Message): Caller => ({ client: 'other', capabilities });
const PERSON = (person: string): Caller => ({ person });

type Door =
  | 'tasks/update'
  | 'run_answer with the token'
  | 'run_answer with a made-up token'
  | 'run_answer'
  | 'again'
  | 'administration';
type Told = RegExp | 'answers';

const UNKNOWN_TOOL = /Unknown tool: run_answer/;
const NOT_THE_VIEW = /the token is not the view's/;
const ADMINISTRATOR = /Only an administrator can/;

/**
 * Who may answer through which interface: a question that only others than the caller may answer, and one for the user of the
 * calling client. A new way to answer needs rows here.
 */
const DOORS: [Door, string, Caller, { forOthers: Told; forTheUser: Told }][] = [
  ['tasks/update', 'its client', OWNER(TASKS), { forOthers: ADMINISTRATOR, forTheUser: 'answers' }],
  ['tasks/update', 'its client without tasks', OWNER(VIEWS), both(/Tasks extension/)],
  ['tasks/update', 'another client', OTHER(EVERYTHING), both(/no task|There is no run/)],
  ['run_answer with the token', 'its client', OWNER(VIEWS), { forOthers: ADMINISTRATOR, forTheUser: 'answers' }],
  ['run_answer with the token', 'its client without views', OWNER({ ...QUESTIONS, ...TASKS }), both(UNKNOWN_TOOL)],
  ['run_answer with the token', 'another client', OTHER(EVERYTHING), both(NOT_THE_VIEW)],
  ['run_answer with a made-up token', 'its client', OWNER(EVERYTHING), both(NOT_THE_VIEW)],
  ['run_answer with a made-up token', 'its client without views', OWNER({}), both(UNKNOWN_TOOL)],
  ['run_answer', 'its client', OWNER(EVERYTHING), both(/token/)],
  ['again', 'its client', OWNER(QUESTIONS), { forOthers: /run:\/\//, forTheUser: 'answers' }],
  ['again', 'its client that can ask nobody', OWNER({}), { forOthers: /run:\/\//, forTheUser: 'answers' }],
  ['again', 'another client', OTHER(QUESTIONS), { forOthers: /run:\/\//, forTheUser: /Invalid|requestState/ }],
  ['administration', 'an administrator', PERSON('anna'), both('answers')],
  ['administration', 'an editor', PERSON('edith'), both('answers')],
  ['administration', 'a viewer', PERSON('vera'), both(/403/)],
  ['administration', 'somebody unknown', PERSON('nobody'), both(/401/)],
];

function both(told: Told) {
  return { forOthers: told, forTheUser: told };
}

describe.each([
  ['for others than its caller', '', 'forOthers'],
  ['for the user of its caller', '@approver("user")', 'forTheUser'],
] as const)('a question %s', (_whom, approver, kind) => {
  let service: TestService;
  const keys = new Map<string, string>();
  let notes = 0;
  TestService.forSuite(async (started) => {
    service = started;
    for (const name of ['owner', 'other']) {
      keys.set(name, String((await service.admin('POST', 'clients', { name, groups: ['team'] })).body['key']));
    }
    await service.admin('POST', 'policies', { name: 'ask-first', policy: policyOf(approver) });
    const people = service.app.get(Administrators, { strict: false });
    for (const [name, role] of [
      ['anna', 'admin'],
      ['edith', 'editor'],
      ['vera', 'viewer'],
    ] as const) {
      await people.create(name, role, PASSWORD);
    }
  });

  const runs = () => service.app.get(RunsService, { strict: false });
  const request = async (client: string, capabilities: Message, method: string, params: Message) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const headers = { authorization: `Bearer ${keys.get(client)}` };
    return answerIn<{ result: Message }>(await service.postStateless(method, { ...params, _meta }, headers));
  };
  const callTool = (client: string, capabilities: Message, name: string, args: Message, more: Message = {}) =>
    request(client, capabilities, 'tools/call', { name, arguments: args, ...more });

  /** Calls a tool as a client that supports elicitation, so that it is asked directly where allowed. */
  const waiting = async (): Promise<Waiting> => {
    const note = { key: `note-${(notes += 1)}`, content: `content ${notes}` };
    const { result } = await callTool('owner', QUESTIONS, 'memory_save', note);
    const [newest] = (await runs().listPage({ limit: 1 })).items;
    const id = newest?.id ?? '';
    await until(async () => (await runs().questions(id)).length > 0);
    const [question] = await runs().questions(id);
    return { id, step: question?.step ?? '', note, requestState: result['requestState'] };
  };

  const answer = async (door: Door, caller: Caller, { id, step, note, requestState }: Waiting): Promise<string> => {
    if ('person' in caller) {
      const res = await fetch(new URL(`/admin/api/runs/${id}/answers`, service.origin), {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${caller.person}:${PASSWORD}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ step, ...ACCEPT }),
      });
      return `${res.status} ${await res.text()}`;
    }
    const { client, capabilities } = caller;
    const input = { id, step, ...ACCEPT };
    const call = (token?: string) =>
      callTool(client, capabilities, 'run_answer', { ...input, ...(token !== undefined && { token }) });
    const send = {
      'tasks/update': () =>
        request(client, capabilities, 'tasks/update', { taskId: id, inputResponses: { [step]: ACCEPT } }),
      'run_answer with the token': async () => call(await tokenOf(id)),
      'run_answer with a made-up token': () => call('0'.repeat(43)),
      run_answer: () => call(),
      again: () =>
        callTool(client, capabilities, 'memory_save', note, { requestState, inputResponses: { [step]: ACCEPT } }),
      administration: () => Promise.reject(new Error('no client has this door')),
    };
    return JSON.stringify(await send[door]());
  };

  /** Returns the token that only the view of the calling client gets, not its model. */
  const tokenOf = async (id: string) => {
    const { result } = await callTool('owner', VIEWS, 'run_status', { id });
    const told = JSON.stringify(result['content']);
    expect(told).not.toContain(TOKEN);
    expect(told).toMatch(new RegExp(`It waits for a person .*/admin/runs/${id}. .*do not poll`));
    return (result['_meta'] as Record<string, string>)[TOKEN];
  };

  it.each(DOORS)('by %s of %s', async (door, _who, caller, { [kind]: told }) => {
    const asked = await waiting();
    const reply = await answer(door, caller, asked);
    if (told === 'answers') {
      await until(async () => (await runs().get(asked.id)).endedAt !== null);
    } else {
      expect(reply).toMatch(told);
      expect((await runs().questions(asked.id)).map(({ step }) => step)).toEqual([asked.step]);
    }
    const saved = await service.app.get(MemoryService, { strict: false }).find(DEFAULT_NAMESPACE, asked.note.key);
    expect(saved?.content).toBe(told === 'answers' ? asked.note.content : undefined);
  });

  it.each(['tasks/update', 'run_answer with the token'] as const)(
    'by %s of its client, unless a policy forbids the tool by then',
    async (door) => {
      const asked = await waiting();
      const policy = 'forbid(principal, action == Action::"callTool", resource == Tool::"memory_save");';
      await service.admin('POST', 'policies', { name: 'no-more', policy });
      const reply = await answer(door, OWNER(EVERYTHING), asked);
      await service.admin('DELETE', 'policies/no-more');
      expect(reply).toContain('policy no-more forbids the tool memory_save');
      expect((await runs().questions(asked.id)).map(({ step }) => step)).toEqual([asked.step]);
    },
  );
});
