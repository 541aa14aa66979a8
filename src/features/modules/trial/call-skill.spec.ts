import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidModule, InvalidModuleSettings } from '../modules.errors.js';
import { callSkill, SkillNotInModule, stopTrials } from './call-skill.js';
import type { TrialOptions } from './skill-test.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';

describe('callSkill', () => {
  const folder = temporaryFolder();
  afterAll(() => stopTrials());

  let count = 0;
  const file = async (code: string, name = `m${(count += 1)}.ts`) => {
    await writeFile(join(folder, name), code);
    return pathToFileURL(join(folder, name));
  };
  const skill = (body: string, more = '') =>
    file(
      `export default { name: 'one', description: 'Does it.', input: { type: 'object' }, ${more} async execute(input: any, context: any) { ${body} } };`,
    );
  const textOf = ({ content: [first] }: Awaited<ReturnType<typeof callSkill>>) =>
    first?.type === 'text' ? first.text : '';

  it('returns what a caller gets of a text, an object, contents and an error', async () => {
    const module = await skill(`
      if (input.as === 'text') return 'a text';
      if (input.as === 'object') return { n: 1 };
      if (input.as === 'error') throw new Error('ask for less');
      return { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] };`);
    expect(await callSkill(module, { as: 'text' })).toEqual({
      content: [{ type: 'text', text: 'a text' }],
      state: null,
    });
    expect(await callSkill(module, { as: 'object' })).toMatchObject({
      content: [{ text: '{"n":1}' }],
      structuredContent: { n: 1 },
    });
    expect(await callSkill(module, { as: 'image' })).toMatchObject({ content: [{ type: 'image', data: 'aGk=' }] });
    const failed = await callSkill(module, { as: 'error' });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toMatch(/^The tool one failed: ask for less \(m\d+\.ts:4/);
  });

  it('returns contents with the fields that clients know, and refuses those that they cannot read', async () => {
    const module = await skill('return { content: input.content };');
    const link = { type: 'resource_link', uri: 'https://a.example/', name: 'a', title: 'A' };
    const content = [
      { type: 'text', text: 'a', annotations: 5 },
      { ...link, mimeType: 7, size: 'large' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png', alt: 1 },
    ];
    expect((await callSkill(module, { content })).content).toEqual([
      { type: 'text', text: 'a' },
      link,
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ]);
    const unreadable = [{ type: 'image', data: 'not base64 !', mimeType: 'image/png' }];
    expect(textOf(await callSkill(module, { content: unreadable }))).toContain('content 1 of its result is none of');
  });

  it('returns an object unchanged if its content is not a list', async () => {
    const module = await file(`export default { name: 'one', description: 'Does it.',
      output: { type: 'object', properties: { content: { type: 'string' } } }, execute: () => ({ content: 'a text' }) };`);
    expect(await callSkill(module)).toMatchObject({ structuredContent: { content: 'a text' } });
  });

  it('checks arguments as callers give them, and results, by their schemas', async () => {
    const module = await file(`export default { name: 'one', description: 'Does it.',
      input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
      output: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      execute: ({ n }) => (n > 5 ? { m: n } : { n: n + 1 }) };`);
    expect(await callSkill(module, { n: '5' })).toMatchObject({ structuredContent: { n: 6 } }); // because the service converts "5" to 5
    expect(textOf(await callSkill(module, { m: 1 }))).toContain('missing required property "n"');
    expect(await callSkill(module, { n: 6 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('does not match its output schema') as unknown }],
    });
    const none = await file(`export default { name: 'none', description: 'Takes nothing.', execute: () => 'ok' };`);
    expect(textOf(await callSkill(none, { a: 1 }))).toContain('unknown property "a"');
  });

  it('does not get a secret from a later response, as in the service', async () => {
    const module = await skill(
      `await context.fetch('https://a.example/' + context.secret('key'));
       const response = await context.fetch('https://a.example/last');
       return { all: [response.headers.get('x-last'), await response.text()], key: context.secret('key') };`,
      `uses: { hosts: ['a.example'], secrets: ['key'] },`,
    );
    const fetch = () => new Response('a real-key', { headers: { 'x-last': 'real-key' } });
    const { structuredContent } = await callSkill(module, {}, { secrets: { key: 'real-key' }, fetch });
    const { all, key } = structuredContent as { all: string[]; key: string };
    expect(all).toEqual([key, `a ${key}`]);
  });

  it('has requests answered by values and functions, with the secrets in them', async () => {
    const module = await skill(
      `const response = await context.fetch(input.url, { method: input.method, body: input.body, headers: { authorization: 'Bearer ' + context.secret('key') } });
       return { status: response.status, text: await response.text(), key: context.secret('key') };`,
      `uses: { hosts: ['a.example'], secrets: ['key', 'other'] },`,
    );
    const secrets = { key: 'the real key' };
    const call = (url: string, more = {}, fetch?: TrialOptions['fetch']) =>
      callSkill(module, { url, ...more }, { secrets, ...(fetch && { fetch }) });
    const seen: string[] = [];
    const answered = await call('https://a.example/x', { method: 'POST', body: 'hi' }, async (request) => {
      seen.push(
        `${request.method} ${request.url} ${request.headers.get('authorization') ?? ''} ${await request.text()}`,
      );
      return new Response('you sent the real key', { status: 201 });
    });
    expect(seen).toEqual(['POST https://a.example/x Bearer the real key hi']);
    const { key, text } = answered.structuredContent as { key: string; text: string };
    expect(key).toMatch(/^secret-/);
    expect(text).toBe(`you sent ${key}`);
    expect(answered.structuredContent).toMatchObject({ status: 201 });
    const values = { 'https://a.example': { n: 1 }, 'https://a.example/t': 'text' };
    expect((await call('https://a.example/', {}, values)).structuredContent).toMatchObject({ text: '{"n":1}' });
    expect((await call('https://a.example/t', {}, values)).structuredContent).toMatchObject({ text: 'text' });
    expect(textOf(await call('https://a.example/u', {}, values))).toContain('no answer to GET https://a.example/u');
    expect(textOf(await call('https://b.example/', {}, () => 'no'))).toContain('add it to uses.hosts');
    const { isError } = await callSkill(module, { url: 'https://a.example/' }, { fetch: () => 'ok' });
    expect(isError).toBe(true); // without a value for the secret
  });

  it('keeps a state from one call to the next', async () => {
    const module = await skill(
      `const state = (await context.state.get()) ?? { n: 0 }; state.n += 1; await context.state.set(input.large ? 'x'.repeat(70_000) : state); return state;`,
      'uses: { state: true },',
    );
    const first = await callSkill(module);
    expect(first.state).toEqual({ n: 1 });
    expect((await callSkill(module, {}, { state: first.state })).state).toEqual({ n: 2 });
    const failed = await callSkill(module, { large: true }, { state: { n: 7 } });
    expect([failed.isError, failed.state]).toEqual([true, { n: 7 }]);
    const without = await skill('return context.state.get();');
    expect(textOf(await callSkill(without))).toContain('add uses.state');
  });

  it('answers calls of other skills that the module declares', async () => {
    const module = await skill(
      'return { got: await context.callSkill(input.name, { a: 1 }) };',
      `uses: { skills: ['x', 'y', 'z'] },`,
    );
    const skills = {
      x: { saved: true },
      y: (input: object) => ({ input }),
      z: () => {
        throw new Error('not today');
      },
    };
    const got = async (name: string) => callSkill(module, { name }, { skills });
    expect((await got('x')).structuredContent).toEqual({ got: { saved: true } });
    expect((await got('y')).structuredContent).toEqual({ got: { input: { a: 1 } } });
    expect(textOf(await got('z'))).toContain('not today');
    expect(textOf(await got('w'))).toContain('add it to uses.skills');
    const deep = await skill(
      `let args = {}; for (let level = 0; level < input.levels; level += 1) args = { args }; return context.callSkill('x', args);`,
      `uses: { skills: ['x'] },`,
    );
    expect(textOf(await callSkill(deep, { levels: 62 }, { skills: { x: 'fine' } }))).toBe('fine');
    expect(textOf(await callSkill(deep, { levels: 63 }, { skills: { x: 'fine' } }))).toContain('nested deeper');
    expect(textOf(await callSkill(module, { name: 'x' }))).toContain('add its result to the option skills');
  });

  it('answers statements to databases that the module declares', async () => {
    const module = await skill(
      `return context.query(input.database, 'select $1', [7]);`,
      `uses: { databases: ['shop', 'other', 'down'] },`,
    );
    const databases = {
      shop: { columns: ['n'], rows: [[1]] },
      other: ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => ({ rows: [[sql, parameters]] }),
      down: () => {
        throw new Error('the database cannot be reached');
      },
    };
    const found = async (database: string) => callSkill(module, { database }, { databases });
    expect((await found('shop')).structuredContent).toEqual({ columns: ['n'], rows: [[1]], isCut: false });
    expect((await found('other')).structuredContent).toMatchObject({ rows: [['select $1', [7]]] });
    expect(textOf(await found('down'))).toContain('cannot be reached');
    expect(textOf(await found('none'))).toContain('add it to uses.databases');
    expect(textOf(await callSkill(module, { database: 'shop' }))).toContain('add its rows to the option databases');
  });

  it('asks only what every client has a form for', async () => {
    const module = await skill(
      `return (await import('agent-service/skill')).ask({ size: { message: 'Which?', schema: { type: 'object', ...input } } });`,
    );
    for (const field of [
      { type: 'string', format: 'date' },
      { type: 'integer', enum: [1, 2] },
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    ])
      expect(await callSkill(module, { properties: { field } })).toHaveProperty('questions.size');
    for (const field of [
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'array' },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { enum: ['a'] } },
      { type: 'string', format: 'time' },
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      {},
      true,
    ])
      expect([field, textOf(await callSkill(module, { properties: { field } }))]).toEqual([
        field,
        expect.stringContaining('the question size: field must be a string (with the format email, uri,'),
      ]);
    expect(textOf(await callSkill(module))).toContain('the question size: its properties must be');
  });

  it('gives settings, answers, the caller and the time', async () => {
    const module = await skill(
      `if (!context.answers.size) return (await import('agent-service/skill')).ask({ size: { message: 'Which?', schema: { type: 'object', properties: {} } } });
       return { ...context.settings, caller: context.caller, size: context.answers.size, now: context.now().toISOString() };`,
      `uses: { settings: { limit: { type: 'integer', maximum: 9, default: 5 } } },`,
    );
    expect(await callSkill(module)).toMatchObject({
      content: [],
      questions: { size: { params: { message: 'Which?' } } },
    });
    const now = new Date('2026-01-02T03:04:05.000Z');
    const options = { answers: { size: { size: 'L' } }, caller: { name: 'ada', groups: ['dev'] } };
    expect((await callSkill(module, {}, { ...options, now, settings: { limit: 9 } })).structuredContent).toEqual({
      limit: 9,
      caller: { name: 'ada', groups: ['dev'] },
      size: { size: 'L' },
      now: '2026-01-02T03:04:05.000Z',
    });
    expect((await callSkill(module, {}, { ...options, now: () => now })).structuredContent).toMatchObject({ limit: 5 });
    await expect(callSkill(module, {}, { settings: { limit: 10 } })).rejects.toThrow(InvalidModuleSettings);
  });

  it('ends a call that takes too long, or is given up', async () => {
    const module = await skill(
      `await new Promise((resolve, reject) => context.signal.addEventListener('abort', reject));`,
    );
    expect(textOf(await callSkill(module, {}, { timeoutMs: 50 }))).toContain('did not finish within 50 ms');
    const controller = new AbortController();
    const call = callSkill(module, {}, { signal: controller.signal });
    controller.abort();
    expect(textOf(await call)).toBe('The call of one was cancelled.');
  });

  it('refuses what the service would refuse', async () => {
    await expect(callSkill(await file(`import 'node:fs';`))).rejects.toThrow(/cannot import "node:fs"/);
    await expect(callSkill(await skill('', 'uses: { host: [] },'))).rejects.toThrow(InvalidModule);
    await expect(callSkill(await skill(''), {}, { skill: 'two' })).rejects.toThrow(SkillNotInModule);
    const wrong = await skill('', `input: { type: 'object', properties: { n: { type: 'integer', default: 'x' } } },`);
    await expect(callSkill(wrong)).rejects.toThrow(
      'one: its input schema at /properties/n/default does not fit its own schema: must be integer',
    );
    const several = await file(
      `const skill = (name) => ({ name, description: 'Has a twin.', execute: () => name });
      export default [skill('one'), skill('two')];`,
    );
    await expect(callSkill(several)).rejects.toThrow('The module has 2 skills: choose one or two, with --skill');
    expect(textOf(await callSkill(several, {}, { skill: 'two' }))).toBe('two');
    await expect(callSkill(join(folder, 'none.ts'))).rejects.toThrow(/^There is no file .*none\.ts: name a /);
  });

  it('calls modules again after they were stopped', async () => {
    const module = await skill("return 'still here';");
    await stopTrials();
    expect(textOf(await callSkill(module))).toBe('still here');
  });
});
