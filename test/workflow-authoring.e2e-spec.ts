import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ServiceEvents } from '../src/features/workflows/triggers/events/service-events.service.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const TOOLS = ['workflow_check', 'workflow_propose', 'workflow_try'];

const workflow = (version: string, tasks: string, name = 'greet') => `document:
  dsl: 1.0.3
  namespace: team
  name: ${name}
  version: ${version}
  summary: Use this to greet somebody.
input:
  schema: { document: { type: object, properties: { who: { type: string } }, required: [who] } }
do:
${tasks.replace(/^/gm, '  ')}`;
const GREETING = `- greet:
    set: { greeting: '\${ "Hello \\(.who)" }' }`;
const REMEMBERING = `- keep:
    call: memory_save
    with: { key: greeted, content: somebody }`;

const LOOP = `- each:
    for: { in: . }
    do: [{ say: { set: { said: '\${ "\\($index) " + $item.who }' } } }]`;

/** A correction that an assistant makes after a message. */
type Mend = [told: RegExp, wrong: string, right: string];

const EVERYDAY_HEAD = 'document: { dsl: 1.0.3, namespace: team, name: everyday, version: 1.0.0, summary: Use this. }\n';

/** First drafts of models that know the DSL and other languages, and their corrections after the error messages. */
const EVERYDAY: [goal: string, draft: string, mends: Mend[]][] = [
  [
    'a call of an API',
    "do:\n  - pets:\n      call: openapi\n      with: { document: { endpoint: 'https://pets.example/openapi.json' }, operationId: list }\n",
    [
      [/call: openapi is not supported.*call: http/, 'call: openapi', 'call: http'],
      [
        /needs "endpoint"|"document".*endpoint/,
        "{ document: { endpoint: 'https://pets.example/openapi.json' }, operationId: list }",
        '{ method: get, endpoint: https://pets.example/pets }',
      ],
    ],
  ],
  [
    'a sum',
    'do:\n  - sum:\n      run: { script: { language: javascript, code: return 1 + 1 } }\n',
    [
      [
        /scripts are not run.*jq/,
        'run: { script: { language: javascript, code: return 1 + 1 } }',
        "set: { sum: '${ 1 + 1 }' }",
      ],
    ],
  ],
  [
    'one of two events',
    'do:\n  - hear:\n      listen: { to: { any: [{ with: { type: com.example.a } }, { with: { type: com.example.b } }] } }\n      timeout: { after: PT1H }\n',
    [
      [
        /"any": is not supported.*in a fork/,
        'listen: { to: { any: [{ with: { type: com.example.a } }, { with: { type: com.example.b } }] } }',
        'fork:\n        compete: true\n        branches:\n          - a: { listen: { to: { one: { with: { type: com.example.a } } } } }\n          - b: { listen: { to: { one: { with: { type: com.example.b } } } } }',
      ],
    ],
  ],
  [
    'a weekly report',
    'on: { schedule: { cron: 0 9 * * 1 } }\nsteps:\n  - items:\n      call: feed_items\n      with: { limit: 5 }\n',
    [
      [/"on".*under schedule/, 'on: { schedule: { cron: 0 9 * * 1 } }', 'schedule: { cron: 0 9 * * 1 }'],
      [/"steps".*under do/, 'steps:', 'do:'],
    ],
  ],
  [
    'a greeting',
    'do:\n  - greet:\n      set: { text: "Hello {{ name }}" }\n',
    [
      [/jq in \$\{ \}/, '{{ name }}', '${ .name }'],
      [/make all of it one expression: '(.*)'/, '"Hello ${ .name }"', `'\${ "Hello \\(.name)" }'`],
    ],
  ],
  [
    'a decision',
    'do:\n  - decide:\n      switch:\n        - condition: ${ .n > 1 }\n          transition: big\n  - big:\n      set: { size: big }\n',
    [
      [
        /each entry has the name of one case/,
        '- condition: ${ .n > 1 }\n          transition: big',
        '- isBig:\n            condition: ${ .n > 1 }\n            transition: big',
      ],
      [/unknown property "condition".*when/, 'condition: ${ .n > 1 }', 'when: ${ .n > 1 }'],
      [/unknown property "transition".*then/, 'transition: big', 'then: big'],
    ],
  ],
  [
    'an approval',
    'do:\n  - approve:\n      call: human_approval\n      with: { message: Publish it? }\n',
    [
      [
        /listen for the event person.answered, with the question under metadata.question/,
        'call: human_approval\n      with: { message: Publish it? }',
        'listen: { to: { one: { with: { type: person.answered } } } }\n      metadata: { question: { message: Publish it?, schema: { type: object, properties: { ok: { type: boolean } } } } }\n      timeout: { after: P1D }',
      ],
    ],
  ],
  [
    'a loop',
    'do:\n  - each:\n      foreach: { item: one, in: "${ .items }" }\n      steps:\n        - keep: { set: { kept: "${ $one }" } }\n',
    [
      [/a for, with each and in/, 'foreach: { item: one,', 'for: { each: one,'],
      [/a list of tasks is under do|needs "do"/, 'steps:', 'do:'],
    ],
  ],
  [
    'a retry',
    'do:\n  - fetch:\n      try:\n        - get: { call: http, with: { method: get, url: https://a.example } }\n      catch:\n        retry: { maxAttempts: 3, delay: PT5S }\n',
    [
      [/unknown property "url".*endpoint/, 'url:', 'endpoint:'],
      [/unknown property "maxAttempts".*limit/, 'maxAttempts: 3', 'limit: { attempt: { count: 3 } }'],
    ],
  ],
  [
    'a search and its titles',
    'do:\n  - search:\n      call: knowledge_search\n      with: { q: "${ .topic }" }\n  - titles:\n      set: { titles: "${ $steps.search.output }" }\n',
    [
      [/its arguments are query,/, 'q:', 'query:'],
      [/reads the output of the task before it as "."/, '$steps.search.output', '.'],
    ],
  ],
];

describe('assistants that write workflows', () => {
  let service: TestService;
  const clients: Record<'ada' | 'ben', Client> = {
    ada: new Client({ name: 'a', version: '1' }),
    ben: new Client({ name: 'b', version: '1' }),
  };
  const told: string[] = [];

  beforeAll(async () => {
    service = await TestService.start();
    for (const [name, client] of Object.entries(clients)) {
      const { body } = await service.admin('POST', 'clients', { name, groups: [] });
      await service.connect(client, String(body['key']));
    }
    clients.ada.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.push('tools'));
    clients.ada.setNotificationHandler(PromptListChangedNotificationSchema, () => void told.push('prompts'));
  });
  afterAll(() => service.stop());

  const letThem = (value: 'on' | 'off') => service.admin('PUT', 'config/workflows.authoring', { value });
  const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  const promptsOf = async (client: Client) => (await client.listPrompts()).prompts.map(({ name }) => name);
  async function call(client: Client, name: string, args: Record<string, unknown>) {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    return { text: (content as { text?: string }[]).map(({ text = '' }) => text).join('\n'), isError };
  }
  const propose = (client: Client, definition: string) => call(client, 'workflow_propose', { definition });
  async function read(uri: string): Promise<string> {
    const { contents } = await clients.ada.readResource({ uri });
    return contents.map((content) => ('text' in content ? content.text : '')).join('');
  }

  it('have no tools for it until an administrator lets them, and none again after', async () => {
    expect((await toolsOf(clients.ada)).filter((name) => name.startsWith('workflow_'))).toEqual([]);
    expect(await promptsOf(clients.ada)).not.toContain('write_workflow');
    expect((await letThem('on')).status).toBe(200);
    await until(() => told.includes('tools') && told.includes('prompts'));
    expect(await toolsOf(clients.ada)).toEqual(expect.arrayContaining(TOOLS));
    expect(await promptsOf(clients.ada)).toContain('write_workflow');
    told.length = 0;
    await letThem('off');
    await until(() => told.includes('tools') && told.includes('prompts'));
    expect((await toolsOf(clients.ada)).filter((name) => name.startsWith('workflow_'))).toEqual([]);
    expect(await promptsOf(clients.ada)).not.toContain('write_workflow');
    await letThem('on');
  });

  it('read how to, in parts that name each other', async () => {
    const first = await read('workflow://reference');
    expect(first).toContain('call: feed_items');
    const found = new Set(['workflow://reference']);
    for (const uri of found) {
      const text = uri === 'workflow://reference' ? first : await read(uri);
      expect([uri, text.length > 200, text.length < 14_000]).toEqual([uri, true, true]);
      for (const [, other = ''] of text.matchAll(/\]\((workflow:\/\/reference[^)]*)\)/g)) found.add(other);
    }
    expect([...found]).toEqual(
      expect.arrayContaining(
        ['errors-and-retries', 'schedules', 'samples'].map((part) => `workflow://reference/${part}`),
      ),
    );
    const samples = await read('workflow://reference/samples');
    expect(samples.match(/^## /gm)).toHaveLength(6);
    await expect(read('workflow://reference/nothing')).rejects.toThrow('workflow://reference/nothing');
    const { resources } = await clients.ada.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('workflow://reference');
  });

  it('receive every error with its line, and what works instead', async () => {
    const wrong = workflow(
      '1.0.0',
      `- one:\n    call: openapi\n    with: { document: { endpoint: 'https://a.example' } }\n- two:\n    call: memory_sav`,
    );
    const { text, isError } = await call(clients.ada, 'workflow_check', { definition: wrong });
    expect(isError).toBe(false);
    expect(text).toMatch(/^Not valid\. 2 mistakes/);
    expect(text).toMatch(/error in line 11:\d+, at \/do\/0\/one\/call: .*call: http/);
    expect(text).toMatch(/error in line 14:\d+, at \/do\/1\/two\/call: .*did you mean "memory_save"/);
    expect(await propose(clients.ada, wrong)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not proposed\. 2 mistakes/) as string,
    });
    expect((await call(clients.ada, 'workflow_check', { definition: workflow('1.0.0', GREETING) })).text).toMatch(
      /^Valid: greet 1\.0\.0\./,
    );
    expect((await service.admin('GET', 'workflows?q=greet')).body['items']).toEqual([]);
  });

  it('propose a draft that is not a tool before an administrator enables it', async () => {
    const proposed = await propose(clients.ada, workflow('1.0.0', GREETING));
    expect(proposed).toMatchObject({ isError: false, text: expect.stringContaining('It is no tool yet') as string });
    expect((await service.admin('GET', 'workflows/greet')).body).toMatchObject({
      enabled: false,
      source: 'assistant',
      author: 'ada',
    });
    expect(await toolsOf(clients.ada)).not.toContain('greet');
    // An administrator may have read it.
    expect(await propose(clients.ada, workflow('1.0.0', `${GREETING}\n- more:\n    wait: PT1S`))).toMatchObject({
      isError: true,
      text: expect.stringContaining('raise document.version') as string,
    });
    await service.admin('PUT', 'workflows/greet/enabled', { enabled: true });
    await until(async () => (await toolsOf(clients.ada)).includes('greet'));
    expect((await call(clients.ben, 'greet', { who: 'Ben' })).text).toContain('Hello Ben');
  });

  it('propose versions that nobody starts before an administrator makes them current', async () => {
    const other = GREETING.replace('Hello', 'Good morning');
    expect(await propose(clients.ada, workflow('1.0.0', other))).toMatchObject({ isError: true });
    expect((await propose(clients.ada, workflow('1.1.0', other))).text).toContain('Calls still start version 1.0.0');
    expect((await call(clients.ben, 'greet', { who: 'Ben' })).text).toContain('Hello Ben');
    expect((await service.admin('GET', 'workflows/greet/versions')).body['items']).toMatchObject([
      { version: '1.1.0', source: 'assistant', author: 'ada' },
      { version: '1.0.0', author: 'ada' },
    ]);
    await service.admin('PUT', 'workflows/greet/current', { version: '1.1.0' });
    await until(async () => (await call(clients.ben, 'greet', { who: 'Ben' })).text.includes('Good morning Ben'));
  });

  it("try their own drafts with their own permissions, and nobody else's", async () => {
    await propose(
      clients.ada,
      workflow('2.0.0', `${REMEMBERING}\n${GREETING.replace('.who', '$workflow.input.who')}`, 'remember'),
    );
    const draft = { name: 'remember', version: '2.0.0', input: { who: 'you' } };
    expect((await call(clients.ada, 'workflow_try', draft)).text).toContain('Hello you');
    expect((await service.admin('GET', 'runs?name=remember')).body['items']).toMatchObject([
      { isTest: true, client: 'ada', status: 'completed' },
    ]);
    const alone = { ...draft, task: 'greet', input: { who: 'nobody else' } };
    expect((await call(clients.ada, 'workflow_try', alone)).text).toContain('Hello nobody else');
    const [{ id } = { id: '' }] = (await service.admin('GET', 'runs?name=remember')).body['items'] as { id: string }[];
    expect((await service.admin('GET', `runs/${id}/steps`)).body['items']).toEqual([]);
    expect(await call(clients.ada, 'workflow_try', { ...alone, task: 'send' })).toMatchObject({
      isError: true,
      text: expect.stringContaining(
        'there is no task "send" in "remember": the outermost are /do/0/keep, /do/1/greet',
      ) as string,
    });
    expect(await call(clients.ada, 'workflow_try', { ...alone, task: '/do/7/send' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is no task "/do/7/send"') as string,
    });
    expect(await call(clients.ben, 'workflow_try', draft)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/there is no version 2\.0\.0 .* versions that you have proposed$/) as string,
    });
    expect(await call(clients.ada, 'workflow_try', { ...draft, input: {} })).toMatchObject({
      isError: true,
      text: expect.stringContaining('who') as string,
    });
    const policy = `forbid (principal == Client::"ada", action == Action::"callTool", resource == Tool::"memory_save");`;
    expect((await service.admin('POST', 'policies', { name: 'no-memory', policy })).status).toBe(201);
    expect(await call(clients.ada, 'workflow_try', draft)).toMatchObject({
      isError: true,
      text: expect.stringContaining('no-memory') as string,
    });
  });

  it('try drafts that take a list, and tasks in a loop', async () => {
    const hears = `${workflow('1.0.0', LOOP, 'hear')}\nschedule: { on: { one: { with: { type: com.example.rain } } } }\n`;
    await propose(clients.ada, hears.replace(/^input:\n.*\n/m, ''));
    const draft = { name: 'hear', version: '1.0.0', input: [{ who: 'rain' }] };
    expect((await call(clients.ada, 'workflow_try', draft)).text).toContain('0 rain');
    const alone = { ...draft, task: '/do/0/each/do/0/say', input: {}, variables: { item: { who: 'sun' } } };
    expect((await call(clients.ada, 'workflow_try', alone)).text).toContain('0 sun');
    expect(await call(clients.ada, 'workflow_try', { ...draft, input: 'rain' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('input') as string,
    });
  });

  it('reach no further by a draft than without it', async () => {
    const plain = (name: string, version: string, tasks: string) =>
      workflow(version, tasks, name).replace(/^input:\n.*\n/m, '');
    const keeping = (name: string) =>
      plain(name, '1.0.0', `- keep:\n    call: memory_save\n    with: { key: ${name}, content: kept }`);
    for (const name of ['confirmed', 'off', 'switched', 'tidy'])
      expect((await service.admin('POST', 'workflows', { definition: keeping(name) })).status).toBe(201);
    const heard = `${keeping('heard').replace('  summary', '  tags: { team: ops }\n  summary')}\nschedule: { on: { one: { with: { type: com.example.rain } } } }\n`;
    for (const name of ['heard', 'named'])
      expect((await service.admin('POST', 'workflows', { definition: heard.replaceAll('heard', name) })).status).toBe(
        201,
      );
    await service.admin('PUT', 'workflows/off/enabled', { enabled: false });
    await service.admin('PUT', 'skills/switched', { enabled: false });
    await service.admin('PUT', 'workflow-secrets/weather', { value: 'sesame' });
    await propose(clients.ada, keeping('hers'));
    const policies = {
      asks: `@require_approval("May it?") permit (principal, action == Action::"callTool", resource == Tool::"confirmed");`,
      'only-tidy': `forbid (principal == Client::"ben", action == Action::"callTool", resource == Tool::"memory_remove") unless { context.workflow == "tidy" };`,
      'not-named': `forbid (principal, action == Action::"callTool", resource == Tool::"named");`,
      'not-ops': `forbid (principal, action == Action::"callTool", resource) when { resource.tags.contains("team:ops") };`,
    };
    for (const [name, policy] of Object.entries(policies))
      expect((await service.admin('POST', 'policies', { name, policy })).status).toBe(201);
    const tried = async (name: string, version: string, tasks: string) => {
      const draft = plain(name, version, tasks).replace(/^do:/m, 'use: { secrets: [weather] }\ndo:');
      expect(await propose(clients.ben, draft)).toMatchObject({ isError: false });
      return call(clients.ben, 'workflow_try', { name, version });
    };
    const starting = (name: string) =>
      `- go:\n    run: { workflow: { namespace: team, name: ${name}, version: 1.0.0 } }`;
    for (const [name, why] of [
      ['confirmed', 'a person must confirm each call of confirmed'],
      ['heard', 'policy not-ops forbids this call of heard'],
      ['named', 'policies not-named, not-ops forbid this call of named'],
      ['off', 'the workflow "off" is disabled'],
      ['switched', 'The tool switched is disabled'],
      ['hers', 'the workflow "hers" is disabled'],
    ] as const) {
      const { isError, text } = await tried(`starts-${name}`, '1.0.0', starting(name));
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining(why)]);
    }
    await propose(clients.ben, plain('his', '1.0.0', `- greet:\n    set: { greeting: hello }`));
    expect(await tried('starts-his', '1.0.0', starting('his'))).toMatchObject({ isError: false });
    const asking = `- ask:\n    call: http\n    with: { method: get, endpoint: 'http://127.0.0.1:1/', headers: { key: '\${ $secrets.weather }' } }`;
    expect(await tried('asks-weather', '1.0.0', asking)).toMatchObject({
      isError: true,
      text: expect.stringContaining('limits it to hosts and skills') as string,
    });
    const removing = `- remove:\n    call: memory_remove\n    with: { key: greeted }`;
    expect(await tried('tidy', '9.0.0', removing)).toMatchObject({
      isError: true,
      text: expect.stringContaining('only-tidy') as string,
    });
    expect((await service.admin('GET', 'memory?q=kept')).body['items']).toEqual([]);
    for (const name of Object.keys(policies)) await service.admin('DELETE', `policies/${name}`);
  });

  it('are not told of tools and workflows that policies hide from them', async () => {
    const plain = (name: string, tasks: string) => workflow('1.0.0', tasks, name).replace(/^input:\n.*\n/m, '');
    expect((await service.admin('POST', 'workflows', { definition: plain('payroll', GREETING) })).status).toBe(201);
    const hides = `forbid (principal == Client::"ben", action == Action::"callTool", resource) when { ["memory_remove", "payroll"].contains(resource.name) };`;
    expect((await service.admin('POST', 'policies', { name: 'hides', policy: hides })).status).toBe(201);
    const misspelt = plain(
      'curious',
      `- a: { call: memory_remov }
- b: { call: memory_remove, with: { kye: x } }
- c: { run: { workflow: { namespace: team, name: payrol, version: latest } } }`,
    );
    for (const tool of ['workflow_check', 'workflow_propose']) {
      const told = async (client: Client) => (await call(client, tool, { definition: misspelt })).text;
      const known = await told(clients.ada);
      for (const hint of ['"memory_remove"?', 'did you mean "key"?', '"payroll"?']) expect(known).toContain(hint);
      const hidden = await told(clients.ben);
      expect(hidden).toContain('there is no skill "memory_remov": call an enabled skill');
      expect(hidden).not.toMatch(/payroll|"key"|memory_remove/);
    }
    await service.admin('DELETE', 'policies/hides');
  });

  it('neither send nor receive events by a draft, which need no permission', async () => {
    const plain = (name: string, tasks: string) => workflow('1.0.0', tasks, name).replace(/^input:\n.*\n/m, '');
    const started = `${plain('started', GREETING)}\nschedule: { on: { one: { with: { type: com.example.snow } } } }\n`;
    expect((await service.admin('POST', 'workflows', { definition: started })).status).toBe(201);
    const sends = `- snow:\n    emit: { event: { with: { source: https://a.example, type: com.example.snow } } }`;
    await propose(clients.ben, plain('sends', sends));
    expect(await call(clients.ben, 'workflow_try', { name: 'sends', version: '1.0.0' })).toMatchObject({
      isError: false,
    });
    expect((await service.admin('GET', 'runs?name=started')).body['items']).toEqual([]);
    const hears = `- hear:\n    listen: { to: { one: { with: { type: memory.saved } } } }`;
    await propose(
      clients.ben,
      plain('hears', hears).replace('  summary', '  metadata: { background: true }\n  summary'),
    );
    await call(clients.ben, 'workflow_try', { name: 'hears', version: '1.0.0' });
    const runs = async () => (await service.admin('GET', 'runs?name=hears')).body['items'] as { status: string }[];
    await until(async () => (await runs())[0]?.status === 'waiting');
    await service.admin('POST', 'memory', { namespace: 'hidden', key: 'plan', content: 'the plan' });
    await service.app.get(ServiceEvents).delivered();
    expect(await runs()).toMatchObject([{ status: 'waiting' }]);
  });

  it('cannot try a draft whose workflow an administrator has removed', async () => {
    const draft = { name: 'starts-his', version: '1.0.0' };
    expect(await call(clients.ben, 'workflow_try', draft)).toMatchObject({ isError: false });
    await service.admin('DELETE', 'workflows/starts-his');
    expect(await call(clients.ben, 'workflow_try', draft)).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is no workflow "starts-his": workflow_propose takes one') as string,
    });
  });

  it('start a proposed version of another workflow only once it is current', async () => {
    const wrapped = (version: string) =>
      `- go:\n    run: { workflow: { namespace: team, name: tidy, version: ${version} } }`;
    const start = `document:\n  dsl: 1.0.3\n  namespace: team\n  name: starting\n  version: 1.0.0\ndo:\n  `;
    const definition = `${start}${wrapped('9.0.0').replaceAll('\n', '\n  ')}`;
    expect((await service.admin('POST', 'workflows', { definition })).status).toBe(201);
    expect((await call(clients.ada, 'starting', {})).text).toContain('version 9.0.0 of "tidy" is a proposal');
    await service.admin('PUT', 'workflows/tidy/current', { version: '9.0.0' });
    expect((await call(clients.ada, 'starting', {})).text).not.toContain('is a proposal');
  });

  it('do not propose under the name of something else', async () => {
    expect(await propose(clients.ada, workflow('1.0.0', GREETING, 'system_info'))).toMatchObject({
      isError: true,
      text: expect.stringContaining('taken by a skill') as string,
    });
    expect(await propose(clients.ada, workflow('1.0.0', GREETING, 'reference'))).toMatchObject({
      isError: true,
      text: expect.stringContaining('is taken') as string,
    });
  });

  it('leave a tool of the same name alone', async () => {
    await letThem('off');
    const taken = workflow('1.0.0', GREETING, 'workflow_try');
    expect((await service.admin('POST', 'workflows', { definition: taken })).status).toBe(201);
    await letThem('on');
    expect((await call(clients.ada, 'workflow_try', { who: 'Ada' })).text).toContain('Hello Ada');
    expect(await toolsOf(clients.ada)).toContain('workflow_check');
    await letThem('off');
    expect((await call(clients.ada, 'workflow_try', { who: 'Ada' })).text).toContain('Hello Ada');
    await service.admin('DELETE', 'workflows/workflow_try');
    await letThem('on');
  });

  it('are led through it by a prompt', async () => {
    const { messages } = await clients.ada.getPrompt({
      name: 'write_workflow',
      arguments: { goal: 'a report every Monday' },
    });
    const [message] = messages;
    expect(message?.content).toMatchObject({
      text: expect.stringMatching(/workflow:\/\/reference[\s\S]*workflow_check[\s\S]*a report every Monday/) as string,
    });
  });

  it('are told how the tool gets the arguments that its workflow reads', async () => {
    const tasks = 'do: [{ find: { call: knowledge_search, with: { query: "${ .topic }" } } }]\n';
    const { text } = await call(clients.ada, 'workflow_check', { definition: EVERYDAY_HEAD + tasks });
    const [, declaration = ''] = /takes no arguments: declare them, such as (.*)$/m.exec(text) ?? [];
    expect(
      (await call(clients.ada, 'workflow_check', { definition: `${EVERYDAY_HEAD}${declaration}\n${tasks}` })).text,
    ).toMatch(/^Valid: [^:]*$/);
  });

  it.each(EVERYDAY)('get %s right in three rounds, guided by the messages', async (_goal, draft, mends) => {
    let text = `${EVERYDAY_HEAD}input: { schema: { document: { type: object } } }\n${draft}`;
    const answers: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { text: answer } = await call(clients.ada, 'workflow_check', { definition: text });
      answers.push(answer);
      if (/^Valid: [^:]*$/.test(answer)) return;
      for (const [told, wrong, right] of mends) if (told.test(answer)) text = text.replace(wrong, right);
    }
    throw new Error(answers.join('\n'));
  });
});
