import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { ModuleInterrupted } from '#skill-host';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { Database } from '../src/platform/database/database.js';
import { everythingIn } from '../src/platform/database/testing.js';
import { ModuleHost } from '../src/features/modules/module-host.service.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import type { TestService } from './support/service.js';
import { skillsServiceForSuite } from './support/skills-service.js';
import { until } from './support/until.js';
import { listenOnLoopback, stopServer } from './support/loopback.js';

const skillOf = (name: string, body: string, more = '') =>
  `export default { name: '${name}', description: 'Does ${name}.', input: { type: 'object' }, ${more} async execute(input, context) { ${body} } };`;

const ASKS_TWICE = `import { ask } from 'agent-service/skill';
const schema = { type: 'object', properties: { value: { type: 'string' } } };
export default { name: 'order', description: 'Asks.', execute: (input, { answers }) => {
  if (!('size' in answers)) return ask({ size: { message: 'Size?', schema } });
  if (!('colour' in answers)) return ask({ colour: { message: 'Colour?', schema } });
  if (!('name' in answers)) return ask({ name: { message: 'Name?', schema } });
  const { size, colour, name } = answers;
  return { content: [{ type: 'text', text: JSON.stringify({ size, colour, name }) }] };
} };`;

const ASKS_A_NUMBER = `import { ask } from 'agent-service/skill';
const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
export default { name: 'count', description: 'Asks.', execute: (input, { answers }) =>
  answers.count ? JSON.stringify(answers) : ask({ count: { message: 'How many?', schema } }) };`;

/** A program that passes questions to a person. */
const chatProgram = (mode: 'legacy' | { pin: '2026-07-28' }) =>
  new ClientV2({ name: 'chat', version: '1' }, { versionNegotiation: { mode }, capabilities: { elicitation: {} } });

describe('a file with a skill', () => {
  let service: TestService;
  let folder: string;
  skillsServiceForSuite((started, path) => ([service, folder] = [started, path]));

  const drop = async (file: string, code: string) => {
    await writeFile(join(folder, `.${file}`), code);
    await rename(join(folder, `.${file}`), join(folder, file));
  };
  const module = async (name: string) => (await service.admin('GET', `skill-modules/${name}`)).body;
  const version = (name: string, is: number) => until(async () => (await module(name))['version'] === is);
  const tools = async () => {
    const listed = (await (await service.postStateless('tools/list')).json()) as {
      result: { tools: { name: string }[] };
    };
    return listed.result.tools.map(({ name }) => name);
  };
  const isTool = (name: string) => until(async () => (await tools()).includes(name));
  const call = (name: string, args?: object) => service.call(name, args);
  const textOf = async (name: string, args?: object) => (await call(name, args)).content[0]?.text;
  const set = (key: string, value: unknown) => service.admin('PUT', `config/${key}`, { value });

  it('is a tool for connected assistants of both eras, in a new version when it changes, and gone with it', async () => {
    const old = new ClientV1({ name: 'ide', version: '1' });
    let heard = 0;
    old.setNotificationHandler(ToolListChangedNotificationSchema, () => void (heard += 1));
    await service.connect(old);
    const client = new ClientV2({ name: 'chat', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await service.connectV2(client);
    await drop(
      'hello.ts',
      `import { skill } from 'agent-service/skill';
       interface Who { who: string }
       export default skill<Who>({
         name: 'hello', description: 'Says hello.', annotations: { readOnlyHint: true },
         input: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
         execute: ({ who }, { caller }) => ({ text: \`Hello \${who}, from \${caller.name}\` }) });`,
    );
    await until(() => heard > 0);
    expect((await old.listTools()).tools.find(({ name }) => name === 'hello')).toMatchObject({
      description: 'Says hello.',
      annotations: { readOnlyHint: true },
      inputSchema: { properties: { who: { type: 'string' } }, required: ['who'] },
    });
    for (const one of [old, client])
      expect(await one.callTool({ name: 'hello', arguments: { who: 'Ada' } })).toMatchObject({
        structuredContent: { text: 'Hello Ada, from default' },
      });
    expect(await textOf('hello')).toContain('missing required property "who"');
    heard = 0;
    await drop('hello.ts', skillOf('hello', 'return "new";'));
    await version('hello', 2);
    await until(() => heard > 0);
    expect(await textOf('hello')).toBe('new');
    await drop('hello.ts', 'export default {');
    const broken = async () => (await service.admin('GET', 'skill-modules')).body['brokenFiles'];
    await until(async () => ((await broken()) as unknown[]).length > 0);
    expect(await broken()).toEqual([
      {
        file: 'hello.ts',
        name: 'hello',
        problems: [expect.stringMatching(/Expression expected|Unexpected.*hello\.ts:1/)],
      },
    ]);
    expect(await textOf('hello')).toBe('new');
    await rm(join(folder, 'hello.ts'));
    await until(async () => !(await tools()).includes('hello'));
    expect((await service.admin('GET', 'skill-modules/hello')).status).toBe(404);
  });

  it('is refused with all mistakes of its declaration', async () => {
    const code = `export default [{ name: 'a b', description: '', input: { type: 'array' }, uses: { host: [] }, execute() {} },
      { name: 'ok', description: 'x', output: { type: 'object', properties: { a: { type: 'nothing' } } }, annotations: { fast: true },
        uses: { hosts: ['https://a.example/x'], secrets: [1], databases: [2], state: 1 }, run() {}, execute() {} }];`;
    const refused = await service.admin('POST', 'skill-modules', { file: 'bad.js', code });
    expect(refused.status).toBe(400);
    const { errors } = refused.body as { errors: { message: string }[] };
    expect(errors.map(({ message }) => message.replace(/; .*|:.*(?=;)/, '').slice(0, 60))).toEqual([
      'skill 1: its name must be the name of a skill or a workflow:',
      'skill 1: its description must be a text of 1 to 2048 charact',
      'skill 1: its input must be a JSON Schema with "type": "objec',
      'skill 1; there are hosts, skills, secrets, databases, state,',
      'ok: its annotations must be true or false for readOnlyHint, ',
      'ok: its output schema at /properties/a/type is not valid JSO',
      'ok: its uses.state must be true or false',
      'ok; each must be hosts, such as api.example.com or *.example',
      'ok; each must be a name such as weather_api: letters, digits',
      'ok; each must be a name such as weather_api: letters, digits',
    ]);
    for (const file of ['bad.txt', '../x.js', '.js', 'a b.js'])
      expect((await service.admin('POST', 'skill-modules', { file, code })).body).toMatchObject({
        code: 'modules.invalid_file',
      });
  });

  describe('that uses something', () => {
    let other: Server;
    let origin: string;
    const asked: { path: string; key: string }[] = [];
    const held: ServerResponse[] = [];
    beforeAll(async () => {
      other = createServer((req, res) => {
        asked.push({ path: req.url ?? '', key: String(req.headers['x-key']) });
        if (req.url === '/away') return void res.writeHead(302, { location: 'http://127.0.0.2:9/' }).end();
        if (req.url?.startsWith('/echo'))
          return void res.writeHead(302, { location: `/x${req.url}`, 'x-echo': asked.at(-1)?.key ?? '' }).end();
        if (req.url === '/last') return void res.setHeader('x-last', asked.at(-2)?.key ?? '').end(asked.at(-2)?.key);
        if (req.url === '/held') return void held.push(res);
        if (req.url === '/endless') return void setInterval(() => res.write('x'.repeat(100_000)), 1).unref();
        res.end(`got ${String(req.headers['x-key'])}`);
      });
      origin = await listenOnLoopback(other);
      await set('http.allowed_hosts', ['127.0.0.0/8']);
    });
    afterAll(() => stopServer(other));
    const upload = (file: string, code: string) => service.admin('POST', 'skill-modules', { file, code });
    const approved = async (name: string, code: string) => {
      const { body } = await upload(`${name}.js`, code);
      expect(body).toMatchObject({ name });
      const { version, digest } = body;
      expect((await service.admin('PUT', `skill-modules/${name}/approved`, { version, digest })).status).toBe(200);
      await isTool(name);
    };
    const offered = (name: string, body: string, uses: string) => approved(name, skillOf(name, body, uses));

    it('waits for an administrator, also when it uses more, and meanwhile stays as it was', async () => {
      const code = (hosts: string, body: string) => skillOf('asks', body, `uses: { hosts: [${hosts}] },`);
      const { body } = await upload('asks.js', code('"127.0.0.1"', 'return "one";'));
      expect(body).toMatchObject({ version: 1, offered: null, isWaiting: true, uses: { hosts: ['127.0.0.1'] } });
      expect(await tools()).not.toContain('asks');
      const approve = (version: number, { digest } = body) =>
        service.admin('PUT', 'skill-modules/asks/approved', { version, digest });
      expect((await approve(2)).body).toMatchObject({ code: 'modules.changed' });
      await service.admin('DELETE', 'skill-modules/asks');
      const another = await upload('asks.js', code('"127.0.0.1"', 'return "one"; // not seen\n'));
      expect((await approve(1)).body).toMatchObject({ code: 'modules.changed' });
      expect(await module('asks')).toMatchObject({ version: 1, isWaiting: true });
      expect((await approve(1, another.body)).body).toMatchObject({ offered: 1, isWaiting: false });
      await isTool('asks');
      await upload('asks.js', code('"127.0.0.1"', 'return "two";'));
      await until(async () => (await textOf('asks')) === 'two'); // it uses only what is already approved
      expect((await upload('asks.js', code('"a.example"', 'return "three";'))).body).toMatchObject({
        version: 3,
        offered: 1,
        isWaiting: true,
      });
      await until(async () => (await textOf('asks')) === 'one');
      await set('modules.approval', 'none');
      await until(async () => (await textOf('asks')) === 'three');
      await set('modules.approval', 'uses');
      await until(async () => (await textOf('asks')) === 'one');
      expect((await service.admin('DELETE', 'skill-modules/asks')).status).toBe(204);
      await until(async () => !(await tools()).includes('asks'));
    });

    it('asks only the hosts that it declares, with the secrets that may go there', async () => {
      await service.admin('PUT', 'workflow-secrets/api', { value: 'the "real" key', hosts: ['127.0.0.1'] });
      await service.admin('PUT', 'workflow-secrets/elsewhere', { value: 'other', hosts: ['a.example'] });
      await offered(
        'fetches',
        `const headers = { ...(input.secret && { 'x-key': context.secret(input.secret) }), ...(input.host && { Host: input.host }) };
           const response = await context.fetch(input.url, { headers, method: input.method ?? 'GET' });
           return { status: response.status, url: response.url, text: (await response.text()).slice(0, 100), secret: input.secret && context.secret(input.secret) };`,
        `uses: { hosts: ['127.0.0.1'], secrets: ['api', 'elsewhere'] },`,
      );
      const { structuredContent } = await call('fetches', { url: `${origin}/x`, secret: 'api' });
      expect(asked.at(-1)).toEqual({ path: '/x', key: 'the "real" key' });
      // Secrets in the response are redacted again.
      expect(structuredContent).toEqual({
        status: 200,
        url: `${origin}/x`,
        text: `got ${String(structuredContent?.['secret'])}`,
        secret: expect.stringMatching(/^secret-/) as unknown,
      });
      const before = asked.length;
      expect(await textOf('fetches', { url: `${origin}/`, secret: 'elsewhere' })).toContain(
        'may not be sent to 127.0.0.1',
      );
      expect(await textOf('fetches', { url: `${origin}/`, secret: 'none' })).toContain(
        'does not declare the secret none',
      );
      expect(await textOf('fetches', { url: 'http://127.0.0.3/' })).toContain('add it to uses.hosts');
      expect(await textOf('fetches', { url: 'file:///etc/passwd' })).toMatch(/failed/);
      expect(await textOf('fetches', { url: `${origin}/`, host: 'a.example' })).toContain(
        'the header Host may only be',
      );
      expect(asked.length).toBe(before);
      const echoed = await call('fetches', { url: `${origin}/echo`, secret: 'api', host: new URL(origin).host });
      expect(echoed.structuredContent).toMatchObject({ status: 200, url: `${origin}/x/echo` });
      expect(await textOf('fetches', { url: `${origin}/away` })).toContain('add it to uses.hosts');
      expect(await textOf('fetches', { url: `${origin}/endless` })).toContain('larger than');
    });

    it('does not learn a secret from errors, or from returned headers', async () => {
      await service.admin('PUT', 'workflow-secrets/hidden', { value: 'Top+Secret/Value', hosts: ['127.0.0.1'] });
      await offered(
        'sends',
        `const secret = context.secret('hidden');
           const init = { headers: { 'x-key': secret }, redirect: 'manual' };
           const response = await context.fetch(input.url.replace('SECRET', secret), init);
           return { headers: Object.fromEntries(response.headers) };`,
        `uses: { hosts: ['127.0.0.1'], secrets: ['hidden'] },`,
      );
      const answers = [
        await textOf('sends', { url: `${origin}/echo?key=SECRET` }),
        await textOf('sends', { url: 'http://127.0.0.1:9/?key=SECRET' }),
        await textOf('sends', { url: 'ftp://127.0.0.1/?key=SECRET' }),
        await textOf('sends', { url: 'http://SECRET/' }),
      ];
      expect(asked.at(-1)?.key).toBe('Top+Secret/Value');
      expect(answers).toEqual([
        expect.stringMatching(/"location":"\/x\/echo\?key=secret-.*"x-echo":"secret-/),
        expect.stringMatching(/127\.0\.0\.1:9\/\?key=secret-.* can't be reached/),
        expect.stringMatching(/key=secret-.* only http: and https:/),
        expect.stringContaining('a secret cannot be in the host'),
      ]);
      expect(answers.join()).not.toMatch(/top(\+|%2B)secret/i);
    });

    it('does not learn a secret from a later response, of a server that has kept it', async () => {
      await service.admin('PUT', 'workflow-secrets/kept', { value: 'Kept+Secret/Value', hosts: ['127.0.0.1'] });
      const body = `await context.fetch(input.url, { headers: { 'x-key': context.secret('kept') } });
        const response = await context.fetch(input.url + 'last');
        return { header: response.headers.get('x-last'), text: await response.text(), placeholder: context.secret('kept') };`;
      await offered('stores', body, `uses: { hosts: ['127.0.0.1'], secrets: ['kept'] },`);
      const { structuredContent = {} } = await call('stores', { url: `${origin}/` });
      const { placeholder, ...shown } = structuredContent;
      expect(shown).toEqual({ header: placeholder, text: placeholder });
    });

    it('calls other skills as its caller, within what policies allow', async () => {
      await offered(
        'notes',
        `let args = input.long ? { key: 'a', content: 'x'.repeat(1_100_000) } : input.input;
           for (let level = 0; level < (input.deep ?? 0); level += 1) args = { a: args };
           return context.callSkill(input.tool, args);`,
        `uses: { skills: ['memory_save', 'memory_search', 'notes'] },`,
      );
      const input = { key: 'from-module', content: 'Written by a module.' };
      expect((await call('notes', { tool: 'memory_save', input })).isError).toBeUndefined();
      const found = await call('memory_search', { query: 'written module' });
      expect(JSON.stringify(found.structuredContent)).toContain('from-module');
      const policy = 'forbid (principal, action, resource == Tool::"memory_save");';
      await service.admin('POST', 'policies', { name: 'no-saves', policy });
      expect(await textOf('notes', { tool: 'memory_save', input })).toContain('Not allowed');
      expect(await textOf('notes', { tool: 'system_info' })).toContain('add it to uses.skills');
      await service.admin('DELETE', 'policies/no-saves');
      const nested = (level: number): object => (level === 0 ? {} : { tool: 'notes', input: nested(level - 1) });
      expect(await textOf('notes', { tool: 'notes', input: nested(24) })).toContain('more than 20 levels deep');
      const deep = { tool: 'memory_save', input, deep: 5_000 };
      expect(await textOf('notes', deep)).toContain('nested deeper than 63 levels');
      expect(await textOf('notes', { tool: 'memory_save', long: true })).toContain('more than 1000000 characters');
    });

    const workflow = async (name: string, rest: string) => {
      const definition = `document: { dsl: 1.0.3, namespace: team, name: ${name}, version: 1.0.0 }\n${rest}`;
      expect((await service.admin('POST', 'workflows', { definition })).status).toBe(201);
      await isTool(name);
    };
    const runsOf = async (name: string) =>
      (await service.admin('GET', `runs?name=${name}&limit=100`)).body['items'] as { status: string }[];

    it('is told where a call continues that waits for a person', async () => {
      await offered(
        'asks',
        `return { told: await context.callSkill('memory_remove', { key: 'x' }) };`,
        `uses: { skills: ['memory_remove'] },`,
      );
      const policy = '@require_approval("May it?") permit (principal, action, resource == Tool::"memory_remove");';
      await service.admin('POST', 'policies', { name: 'ask-first', policy });
      await service.admin('PUT', 'skills/memory_remove', { timeoutMs: 3_000 });
      expect((await call('asks')).structuredContent).toEqual({ told: expect.stringContaining('run://') as string });
      await until(async () => (await runsOf('memory_remove')).some(({ status }) => status === 'waiting'));
      await service.admin('DELETE', 'policies/ask-first');
      await service.admin('PUT', 'skills/memory_remove', { timeoutMs: null });
    });

    it('starts no chain of runs without an end', async () => {
      await offered('recurs', `return context.callSkill('rounds', {});`, `uses: { skills: ['rounds'] },`);
      await service.admin('PUT', 'skills/rounds', { timeoutMs: 100 });
      await workflow('rounds', 'do:\n  - pause: { wait: { milliseconds: 200 } }\n  - again: { call: recurs }\n');
      await call('rounds');
      await until(async () => JSON.stringify(await runsOf('rounds')).includes('more than 20 levels deep'));
      expect((await runsOf('rounds')).length).toBeLessThan(20);
    });

    it('leaves no secret of the step that calls it in the audit log', async () => {
      await offered(
        'passes',
        `return context.callSkill('memory_search', { query: input.token });`,
        `uses: { skills: ['memory_search'] },`,
      );
      await service.admin('PUT', 'workflow-secrets/token', { value: 'sesame-98765' });
      await workflow(
        'passing',
        "use: { secrets: [token] }\ndo:\n  - pass: { call: passes, with: { token: '${ $secrets.token }' } }\n",
      );
      await call('passing');
      await service.app.get(AuditLog, { strict: false }).flush();
      const audit = JSON.stringify((await service.admin('GET', 'audit?limit=20')).body);
      expect(audit).toContain('"memory_search"');
      expect(audit).not.toContain('sesame-98765');
    });

    it('is not disabled for an earlier version that is stopped late', async () => {
      const uses = `uses: { hosts: ['127.0.0.1'] },`;
      const hoard = 'for (const all = []; ; ) all.push({ all: [1, 2, 3] });';
      await offered('hoards', `if (input.url) await context.fetch(input.url); ${hoard}`, uses);
      for (let stopped = 0; stopped < 2; stopped += 1) expect(await textOf('hoards')).toContain('of heap');
      const late = textOf('hoards', { url: `${origin}/held` });
      await until(() => held.length > 0);
      await upload('hoards.js', skillOf('hoards', 'return "two";', uses));
      await until(async () => (await textOf('hoards')) === 'two');
      held.pop()?.end();
      expect(await late).toContain('of heap');
      expect(await module('hoards')).toMatchObject({ version: 2, enabled: true, problems: [] });
    });

    it('keeps a value for the version that clients get, which does not fit the one that waits', async () => {
      const code = (limit: string, more = '') =>
        skillOf(
          'tuned',
          'return context.settings;',
          `uses: { ${more} settings: { limit: { ${limit} }, city: { type: 'string' } } },`,
        );
      const give = (values: object) => service.admin('PUT', 'skill-modules/tuned/settings', { values });
      await approved('tuned', code(`type: 'integer', default: 1`));
      await give({ limit: 20 });
      expect((await upload('tuned.js', code(`type: 'string'`, 'state: true,'))).body).toMatchObject({
        isWaiting: true,
      });
      await give({ city: 'Oslo' });
      expect((await call('tuned')).structuredContent).toEqual({ limit: 20, city: 'Oslo' });
      await give({ limit: 'few' });
      expect((await call('tuned')).structuredContent).toEqual({ limit: 1 });
    });

    it('keeps no state when it was removed meanwhile, and is told so', async () => {
      const body = `await context.fetch(input.url); await context.state.set(1); return 'kept';`;
      await offered('late', body, `uses: { hosts: ['127.0.0.1'], state: true },`);
      const late = textOf('late', { url: `${origin}/held` });
      await until(() => held.length > 0);
      await service.admin('DELETE', 'skill-modules/late');
      held.pop()?.end();
      expect(await late).toContain('the module was removed');
    });

    it('does not get the state of another module that has its name meanwhile', async () => {
      const body = `if (input.url) await context.fetch(input.url); else await context.state.set('new');
        const state = await context.state.get(); if (input.url) await context.state.set('old'); return { state };`;
      const code = skillOf('heir', body, `uses: { hosts: ['127.0.0.1'], state: true },`);
      await approved('heir', code);
      const late = textOf('heir', { url: `${origin}/held` });
      await until(() => held.length > 0);
      await service.admin('DELETE', 'skill-modules/heir');
      await approved('heir', `${code}\n`);
      await call('heir');
      held.pop()?.end();
      expect(await late).toContain('the module was removed');
      expect((await call('heir')).structuredContent).toEqual({ state: 'new' });
    });

    it('keeps a state of its own, sealed', async () => {
      const body = `const state = (await context.state.get()) ?? { n: 0, mark: ['kept', 4711].join('-') }; state.n += 1; await context.state.set(input.large ? 'x'.repeat(70000) : state); return state;`;
      await offered('counts', body, 'uses: { state: true },');
      await call('counts');
      expect((await call('counts')).structuredContent).toEqual({ n: 2, mark: 'kept-4711' });
      const everything = await everythingIn(service.app.get(Database, { strict: false }));
      expect(everything).toContain(`['kept', 4711]`);
      expect(everything).not.toContain('kept-4711');
      expect(await textOf('counts', { large: true })).toContain('65536 characters');
      await offered('counts', `return context.state.get();`, 'uses: { state: true },');
      expect((await call('counts')).structuredContent).toEqual({ n: 2, mark: 'kept-4711' });
    });
  });

  it('has the settings that an administrator gives it, with the next call', async () => {
    const settings = (limit: string) =>
      `uses: { settings: { limit: ${limit}, city: { type: 'string', description: 'Where.' } } },`;
    const code = (limit: string) =>
      skillOf('set', 'context.settings.limit = 9; return { ...context.settings };', settings(limit));
    const frozen = skillOf(
      'set',
      'return { frozen: Object.isFrozen(context.settings) };',
      settings('{ type: "boolean" }'),
    );
    const save = (text: string) => service.admin('POST', 'skill-modules', { file: 'set.js', code: text });
    const give = (values: object, headers = {}) =>
      service.admin('PUT', 'skill-modules/set/settings', { values }, headers);
    const value = async () => (await call('set')).structuredContent;

    expect((await save(code(`{ type: 'integer', maximum: 10, default: 5 }`))).body).toMatchObject({ isWaiting: false });
    await isTool('set');
    expect(await textOf('set')).toMatch(/read only property 'limit'.*\(set\.js:1/);
    await save(code(`{ type: 'integer', maximum: 10, default: 5 }`).replace('context.settings.limit = 9;', ''));
    await version('set', 2);
    await until(async () => (await value())?.['limit'] === 5);
    const told: string[] = [];
    const stop = service.app.get(EventBus).on('modules.changed', ({ names }) => void told.push(...names));
    expect((await give({ limit: 7, city: 'Oslo' })).body).toMatchObject({ version: 1, misfits: [] });
    stop();
    expect(told).toEqual(['set']); // also notifies other replicas
    expect(await value()).toEqual({ limit: 7, city: 'Oslo' });
    expect((await give({ limit: 11, town: 'Oslo' })).body).toMatchObject({
      status: 400,
      code: 'modules.invalid_settings',
      errors: [
        { path: 'values.limit', message: 'must be at most 10' },
        { path: 'values.town', message: 'is no setting of the module: it has limit, city' },
      ],
    });
    const outdated = await give({ limit: 1 }, { 'If-Match': '"0"' });
    expect(outdated.body).toMatchObject({ status: 412, present: { values: { limit: 7, city: 'Oslo' }, version: 1 } });
    expect(await value()).toEqual({ limit: 7, city: 'Oslo' });
    service = await service.restart();
    expect(await value()).toEqual({ limit: 7, city: 'Oslo' });

    await save(code(`{ type: 'integer', maximum: 6, default: 2 }`).replace('context.settings.limit = 9;', ''));
    await until(async () => (await value())?.['limit'] === 2);
    expect((await service.admin('GET', 'skill-modules/set/settings')).body).toMatchObject({
      values: { city: 'Oslo' },
      misfits: [{ name: 'limit', value: 7, problem: 'must be at most 6' }],
      version: 1,
    });
    expect((await give({ limit: 6 }, { 'If-Match': '"1"' })).body).toMatchObject({ misfits: [], version: 2 });
    expect(await value()).toEqual({ limit: 6 });
    await give({});
    expect(await value()).toEqual({ limit: 2 });
    await save(frozen);
    await until(async () => (await value())?.['frozen'] === true);
    expect((await service.admin('PUT', 'skill-modules/none/settings', { values: {} })).status).toBe(404);
    const { body } = await service.admin('GET', 'audit?q=set&limit=20');
    expect(JSON.stringify(body)).toContain('setSkillModuleSettings');
  });

  it('asks the person, in the era of today', async () => {
    await drop(
      'sizes.mjs',
      `import { ask } from 'agent-service/skill';
       export default { name: 'sizes', description: 'Asks.', execute: (input, { answers }) => answers.size
         ? 'chosen: ' + answers.size.size : 'size' in answers ? 'declined'
         : ask({ size: { message: 'Which size?', schema: { type: 'object', properties: { size: { type: 'string' } } } } }) };`,
    );
    await isTool('sizes');
    const client = new ClientV2(
      { name: 'chat', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } },
    );
    let answer: { action: 'accept' | 'decline'; content?: { size: string } } = {
      action: 'accept',
      content: { size: 'L' },
    };
    client.setRequestHandler('elicitation/create', () => Promise.resolve(answer));
    await service.connectV2(client);
    const asked = async () => (await client.callTool({ name: 'sizes', arguments: {} })).content;
    expect(await asked()).toEqual([{ type: 'text', text: 'chosen: L' }]);
    answer = { action: 'decline' };
    expect(await asked()).toEqual([{ type: 'text', text: 'declined' }]);
    const mute = new ClientV1({ name: 'script', version: '1' });
    await service.connect(mute);
    expect((await mute.callTool({ name: 'sizes', arguments: {} })).content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /^The tool sizes has to ask the user, but this client cannot show questions/,
        ) as unknown,
      },
    ]);
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'keeps the answers when it asks again, also as a step of a workflow (%j)',
    async (mode) => {
      await service.admin('POST', 'skill-modules', { file: 'orders.js', code: ASKS_TWICE });
      const definition = `document: { dsl: 1.0.3, namespace: a, name: orders, version: 1.0.0 }
do:
  - order: { call: order }
`;
      await service.admin('POST', 'workflows', { definition });
      await service.admin('PUT', 'workflows/orders/enabled', { enabled: true });
      await isTool('orders');
      const client = chatProgram(mode);
      const asked: string[] = [];
      client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
        asked.push(message);
        return message === 'Colour?' ? { action: 'decline' } : { action: 'accept', content: { value: message } };
      });
      await service.connectV2(client);
      for (const name of ['order', 'orders']) {
        const { content } = await client.callTool({ name, arguments: {} });
        const text = '{"size":{"value":"Size?"},"colour":null,"name":{"value":"Name?"}}';
        expect([content, asked.splice(0)]).toEqual([[{ type: 'text', text }], ['Size?', 'Colour?', 'Name?']]);
      }
    },
  );

  it.each(['legacy', { pin: '2026-07-28' }] as const)('asks again when an answer does not fit (%j)', async (mode) => {
    await service.admin('POST', 'skill-modules', { file: 'counts.js', code: ASKS_A_NUMBER });
    await isTool('count');
    const client = chatProgram(mode);
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
      asked.push(message);
      return { action: 'accept', content: asked.length === 1 ? {} : { count: asked.length < 4 ? 'many' : 3 } };
    });
    await service.connectV2(client);
    const { content } = await client.callTool({ name: 'count', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: '{"count":{"count":3}}' }]);
    const again = (reason: string) => `How many?\n\nThe answer does not fit the question: ${reason}`;
    const notInteger = again('count: must be integer');
    expect(asked.slice(1)).toEqual([again('missing required property "count"'), notInteger, notInteger]);
  });

  it('says that the schema of a question is not valid', async () => {
    const ask = `return (await import('agent-service/skill')).ask({ size: { message: 'Size?', schema: { type: 'object', properties: { size: { type: 'string', minLength: 'x' } } } } });`;
    await service.admin('POST', 'skill-modules', { file: 'asks_wrongly.js', code: skillOf('asks_wrongly', ask) });
    await isTool('asks_wrongly');
    expect(await textOf('asks_wrongly')).toContain('the schema of the question size is not valid: ');
  });

  it('asks nobody, and is not called again, for data that look like a question to a step', async () => {
    const question = `{ message: 'Password?', schema: { type: 'object', properties: {} } }`;
    await drop(
      'relay.js',
      skillOf('relay', `return { $inputNeeded: { questions: { password: ${question} }, state: null } };`),
    );
    await isTool('relay');
    const definition = `document: { dsl: 1.0.3, namespace: team, name: relays, version: 1.0.0 }\ndo:\n  - get: { call: relay }`;
    expect((await service.admin('POST', 'workflows', { definition })).status).toBe(201);
    expect(await call('relays')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('relay returned "$inputNeeded"') as string }],
    });
  });

  it('is loaded in a later scan when the process that runs modules ended while it was loaded', async () => {
    const open = jest.spyOn(service.app.get(ModuleHost, { strict: false }), 'open');
    open.mockRejectedValueOnce(new ModuleInterrupted('the process that runs modules ended (SIGKILL)'));
    await drop('unlucky.js', skillOf('unlucky', 'return "there";'));
    await until(() => open.mock.calls.length > 0);
    await drop('next.js', skillOf('next', 'return "next";')); // triggers a scan of the folder
    await isTool('unlucky');
    expect((await service.admin('GET', 'skill-modules')).body['brokenFiles']).toEqual([]);
    open.mockImplementation(() => Promise.reject(new ModuleInterrupted('the process that runs modules ended')));
    const upload = { file: 'other.js', code: skillOf('other', '') };
    expect(await service.admin('POST', 'skill-modules', upload)).toMatchObject({
      status: 503,
      body: { code: 'modules.not_checked' },
    });
    open.mockRestore();
  });

  it('is not offered under a name that is taken, and says so', async () => {
    await drop('thief.js', skillOf('memory_search', 'return 1;'));
    await until(async () => ((await module('thief'))['problems'] as string[] | undefined)?.length === 1);
    expect(await module('thief')).toMatchObject({ problems: [expect.stringContaining('memory_search is taken')] });
    await rm(join(folder, 'thief.js'));
    await until(async () => (await service.admin('GET', 'skill-modules/thief')).status === 404);
    expect(await tools()).toContain('memory_search');
  });

  it('has a name as soon as the workflow that had it is switched off, and the workflow as soon as the module is', async () => {
    const definition = `document: { dsl: 1.0.3, namespace: a, name: shared, version: 1.0.0 }
do:
  - one: { set: { a: 1 } }
`;
    await service.admin('POST', 'workflows', { definition });
    await service.admin('PUT', 'workflows/shared/enabled', { enabled: true });
    await isTool('shared');
    await service.admin('POST', 'skill-modules', { file: 'shares.js', code: skillOf('shared', 'return "module";') });
    const problems = async () => JSON.stringify((await module('shares'))['problems']);
    await until(async () => (await problems()).includes('shared is taken'));
    await service.admin('PUT', 'workflows/shared/enabled', { enabled: false });
    await until(async () => (await textOf('shared')) === 'module');
    expect(await problems()).toBe('[]');
    await service.admin('PUT', 'workflows/shared/enabled', { enabled: true });
    expect(await textOf('shared')).toBe('module');
    await service.admin('DELETE', 'skill-modules/shares');
    await until(async () => (await tools()).includes('shared') && (await textOf('shared')) === '{"a":1}');
    await service.admin('DELETE', 'workflows/shared');
  });

  it('keeps its name when the service has a tool of that name, which is there when the file is gone', async () => {
    const base64 = Buffer.from('---\nname: abc\ndescription: Does abc.\n---\n\nDo it.\n').toString('base64');
    await service.admin('POST', 'skill-modules', { file: 'finder.js', code: skillOf('skill_find', 'return "mine";') });
    await isTool('skill_find');
    await service.admin('POST', 'skill-packages', { file: 'SKILL.md', base64 });
    await isTool('skill_read');
    await service.admin('DELETE', 'skill-packages/abc');
    await until(async () => !(await tools()).includes('skill_read'));
    expect(await textOf('skill_find')).toBe('mine');
    await service.admin('POST', 'skill-packages', { file: 'SKILL.md', base64 });
    await isTool('skill_read');
    await service.admin('DELETE', 'skill-modules/finder');
    await until(async () => (await textOf('skill_find', { query: 'abc' }))?.includes('Does abc') === true);
    await service.admin('DELETE', 'skill-packages/abc');
  });

  it('ends at the time limit, and is disabled when it was stopped three times; others go on', async () => {
    await drop('good.js', skillOf('good', 'return "good";'));
    await drop('bad.js', skillOf('bad', 'if (!input.good) for (;;); return "better";'));
    await isTool('bad');
    await isTool('good');
    expect(await textOf('bad', { good: true })).toBe('better');
    await service.admin('PUT', 'skills/bad', { timeoutMs: 1_000 });
    const outcomes: unknown[] = [];
    await until(async () => {
      outcomes.push(await Promise.all([textOf('bad'), textOf('good')]));
      return (await module('bad'))['enabled'] === false;
    });
    expect(outcomes[0]).toEqual([expect.stringContaining('did not finish within 1000 ms'), 'good']);
    expect(await module('bad')).toMatchObject({ problems: [expect.stringContaining('stopped 3 times within a day')] });
    await until(async () => !(await tools()).includes('bad'));
    expect((await service.admin('PUT', 'skill-modules/bad/enabled', { enabled: true })).body).toMatchObject({
      problems: [],
    });
    await isTool('bad');
    await service.admin('PUT', 'skills/bad', { timeoutMs: null });
    expect(await textOf('bad', { good: true })).toBe('better');
  });

  it('is not disabled for what others do while they are checked', async () => {
    const upload = (file: string, code: string) => service.admin('POST', 'skill-modules', { file, code });
    await upload('sound.js', skillOf('sound', 'return "sound";'));
    const hoard = 'for (const all = []; ; ) all.push({ all: [1, 2, 3] });';
    for (const file of ['other.js', 'other.js', 'other.js', 'sound.js'])
      expect(JSON.stringify((await upload(file, hoard)).body)).toContain('of heap');
    expect(await textOf('sound')).toBe('sound');
    expect(await module('sound')).toMatchObject({ version: 1, enabled: true, problems: [] });
  });

  it('is there again after a restart, of an upload and of a file', async () => {
    await service.admin('POST', 'skill-modules', { file: 'kept.js', code: skillOf('kept', 'return "kept";') });
    await drop('filed.js', skillOf('filed', 'return "filed";'));
    await isTool('filed');
    service = await service.restart();
    expect(await tools()).toEqual(expect.arrayContaining(['kept', 'filed']));
    expect([await textOf('kept'), await textOf('filed')]).toEqual(['kept', 'filed']);
    expect((await service.admin('DELETE', 'skill-modules/filed')).body).toMatchObject({ code: 'modules.from_folder' });
  });

  it('can be removed where its file is not, such as after a move, and comes back with the file', async () => {
    await drop('moved.js', skillOf('moved', 'return "moved";'));
    await isTool('moved');
    expect(await module('moved')).toMatchObject({ source: 'folder', isInFolder: true });
    await rename(folder, `${folder}-away`);
    expect(await module('moved')).toMatchObject({ source: 'folder', isInFolder: false });
    expect((await service.admin('DELETE', 'skill-modules/moved')).status).toBe(204);
    expect((await service.admin('GET', 'skill-modules/moved')).status).toBe(404);
    await rename(`${folder}-away`, folder);
    await isTool('moved');
  });

  it('keeps its tool when a younger module exports the same name, whatever changes, and after a restart', async () => {
    const upload = (name: string, text: string) =>
      service.admin('POST', 'skill-modules', { file: `${name}.js`, code: skillOf('wanted', `return "${text}";`) });
    await upload('older', 'one');
    expect((await upload('newer', 'newer')).body).toMatchObject({ problems: [expect.stringContaining('is taken')] });
    await upload('older', 'two');
    await until(async () => (await textOf('wanted')) !== 'one');
    expect(await textOf('wanted')).toBe('two');
    service = await service.restart();
    expect(await textOf('wanted')).toBe('two');
    await service.admin('PUT', 'skill-modules/older/enabled', { enabled: false });
    await until(async () => (await textOf('wanted')) === 'newer');
    await service.admin('PUT', 'skill-modules/older/enabled', { enabled: true });
    await until(async () => (await textOf('wanted')) === 'two');
    expect(await module('newer')).toMatchObject({ problems: [expect.stringContaining('is taken')] });
    expect(await module('older')).toMatchObject({ problems: [] });
    for (const name of ['older', 'newer']) await service.admin('DELETE', `skill-modules/${name}`);
    await until(async () => !(await tools()).includes('wanted'));
  });

  it('keeps the decisions of administrators when its folder was missing, and starts over as an upload', async () => {
    const code = skillOf(
      'away',
      'return context.settings.limit;',
      `uses: { state: true, settings: { limit: { type: 'integer' } } },`,
    );
    await drop('away.js', code);
    await version('away', 1);
    const { digest } = await module('away');
    await service.admin('PUT', 'skill-modules/away/approved', { version: 1, digest });
    await service.admin('PUT', 'skill-modules/away/settings', { values: { limit: 20 } });
    await service.admin('PUT', 'skill-modules/away/enabled', { enabled: false });
    const goes = async () => {
      await rm(join(folder, 'away.js'));
      await until(async () => (await service.admin('GET', 'skill-modules/away')).status === 404);
    };
    await goes();
    expect((await service.admin('GET', 'skill-modules/away/versions/1/code')).status).toBe(404);
    await drop('away.js', code);
    await version('away', 1);
    expect(await module('away')).toMatchObject({ enabled: false, isWaiting: false });
    await service.admin('PUT', 'skill-modules/away/enabled', { enabled: true });
    await isTool('away');
    expect(await textOf('away')).toBe('20');
    await goes();
    const { body } = await service.admin('POST', 'skill-modules', { file: 'away.js', code });
    expect(body).toMatchObject({ version: 1, isWaiting: true, source: 'upload' });
    expect((await service.admin('GET', 'skill-modules/away/settings')).body).toMatchObject({ values: {} });
  });

  it('is left out, and says why, when the declaration that is stored is not valid any more', async () => {
    await service.admin('POST', 'skill-modules', { file: 'stale.js', code: skillOf('stale', 'return "stale";') });
    await isTool('stale');
    await service.app
      .get(Database, { strict: false })
      .updateTable('skill_module_versions')
      .set((row) => ({
        declaration: row.fn('replace', ['declaration', row.val('{"type":"object"}'), row.val('{"type":"nonsense"}')]),
      }))
      .where('name', '=', 'stale')
      .execute();
    service = await service.restart();
    expect(await tools()).toContain('kept');
    expect(await tools()).not.toContain('stale');
    expect(await module('stale')).toMatchObject({ problems: [expect.stringContaining('"type": "object"')] });
  });

  it('comes with the service, and is added as if it were uploaded', async () => {
    const { items } = (await service.admin('GET', 'skill-module-samples')).body as {
      items: { name: string; isThere: boolean; uses: object; settings: string[]; skills: { name: string }[] }[];
    };
    expect(items.map(({ name, isThere }) => [name, isThere])).toEqual([
      ['calculate', false],
      ['chart', false],
      ['github_issue', false],
      ['sql', false],
      ['web_page', false],
    ]);
    expect(items[2]).toMatchObject({
      uses: { hosts: ['api.github.com'], secrets: ['github'] },
      settings: ['asks_first'],
    });
    expect(await service.admin('POST', 'skill-module-samples/calculate')).toMatchObject({
      status: 201,
      body: { name: 'calculate', source: 'upload', isWaiting: false, updatedBy: 'admin' },
    });
    await isTool('calculate');
    expect(await textOf('calculate', { expression: '0.1 + 0.2' })).toContain('0.3');
    expect((await service.admin('POST', 'skill-module-samples/github_issue')).body).toMatchObject({ isWaiting: true });
    expect(await tools()).not.toContain('github_issues');
  });

  it.each([
    ['calculate', 409, 'There is a skill module calculate already.'],
    ['../../package', 404, 'Those that do: calculate, chart, github_issue, sql, web_page.'],
  ])('is not added from the service under %s, with %d', async (name, status, says) => {
    const path = `skill-module-samples/${encodeURIComponent(name)}`;
    if (status === 409) await service.admin('POST', path);
    const answer = await service.admin('POST', path);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(says)]);
  });
});
