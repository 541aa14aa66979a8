import { Logger } from '@nestjs/common';
import { LlmServer, streamed } from '../../../test/support/llm-server.js';
import { ADMIN_CLIENT } from '../../access/audit/audit-entry.js';
import { ALICE, BOB } from '../../core/skills/testing.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { monthOf } from './models/tokens.rules.js';
import { llmOn } from './testing.js';

const TOOLS = ['llm_classify', 'llm_extract', 'llm_generate'];
const STEP = { runId: 'r', idempotencyKey: 'k' };

describe('the tools that ask language models', () => {
  let server: LlmServer;
  beforeAll(() => void Logger.overrideLogger(false));
  beforeAll(async () => void (server = await LlmServer.start()));
  afterAll(() => server.stop());
  beforeEach(() => server.reset());

  it('are there while a model is set: for steps, and for clients if they may', async () => {
    const llm = await llmOn();
    const listed = () => llm.skills.list(ALICE).map(({ name }) => name);
    const registered = () => llm.registry.list().map(({ name }) => name);
    expect(registered()).toEqual([]);
    await llm.settings.set('llm.url', server.url);
    expect(registered()).toEqual([]);
    await llm.settings.set('llm.models', ['gpt-x']);
    expect([registered(), listed()]).toEqual([TOOLS, []]);
    await llm.settings.set('llm.clients', 'on');
    expect(listed()).toEqual(TOOLS);
    await llm.settings.set('llm.clients', 'off');
    expect([registered(), listed()]).toEqual([TOOLS, []]);
    await llm.settings.reset('llm.url');
    expect(registered()).toEqual([]);
    await expect(llm.call('llm_classify', {})).rejects.toThrow(
      'Unknown tool: llm_classify. It is not available now: it needs a language model, which an administrator sets with llm.url and llm.models.',
    );
  });

  it('are refused to clients that may not, and answer steps and administrators', async () => {
    const llm = await llmOn({ LLM_URL: server.url, LLM_MODELS: 'gpt-x' });
    const refused = await llm.call('llm_generate', { prompt: 'a' });
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining('only there for steps of workflows'),
    ]);
    expect(server.asked).toEqual([]);
    expect((await llm.call('llm_generate', { prompt: 'a' }, { step: STEP })).isError).toBe(false);
    expect((await llm.call('llm_generate', { prompt: 'a' }, {}, ADMIN_CLIENT as typeof ALICE)).isError).toBe(false);
  });

  it('know models by the names that they were given; the second server has others', async () => {
    const llm = await llmOn({
      LLM_URL: 'https://a.example/v1/',
      LLM_MODELS: '["fast = org/model:7b","fast=other","big"]',
      LLM_SECOND_URL: 'https://b.example/chat/completions',
      LLM_SECOND_MODELS: 'spare,big',
    });
    expect(llm.models.list()).toMatchObject([
      { name: 'fast', id: 'org/model:7b', endpoint: 'https://a.example/v1/chat/completions', problem: null },
      { name: 'big', id: 'big', endpoint: 'https://a.example/v1/chat/completions' },
      { name: 'spare', endpoint: 'https://b.example/chat/completions' },
    ]);
    const namesOf = (name: string | null) => llm.models.choose(name).map((model) => model.name);
    expect([namesOf(null), namesOf('big'), namesOf('spare')]).toEqual([
      ['fast', 'spare'],
      ['big', 'spare'],
      ['spare', 'fast'],
    ]);
    await expect(llm.settings.set('llm.models', ['fast = ', 'a b'])).rejects.toThrow('llm.models');
  });

  it('stop at the budget of a client, also during a call, and say when it is renewed', async () => {
    const env = { LLM_URL: server.url, LLM_MODELS: 'gpt-x', LLM_CLIENTS: 'on', LLM_MONTHLY_TOKENS: '200' };
    const llm = await llmOn(env);
    const used = () => llm.usage.used(monthOf(new Date()), ALICE.name);
    server.script(streamed('no JSON', { usage: { prompt_tokens: 60, completion_tokens: 60 } }));
    const asked = { prompt: 'a', max_tokens: 100, output_schema: { type: 'object' } };
    const { text, isError } = await llm.call('llm_generate', asked);
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/of 200 tokens a month \(llm\.monthly_tokens\), you have used or reserved 120/),
    ]);
    expect(text).toMatch(/starts anew at \d{4}-\d\d-01T00:00:00\.000Z/);
    expect([server.asked.length, await used()]).toEqual([1, 120]);
    expect((await llm.call('llm_generate', { prompt: 'a', max_tokens: 50 })).isError).toBe(false);
    expect(await used()).toBe(132);
    expect((await llm.call('llm_generate', { prompt: 'a', max_tokens: 100 }, {}, BOB)).isError).toBe(false);
  });

  it('stop at the budget of all clients, on every replica', async () => {
    const database = await memoryDatabase();
    const env = { LLM_URL: server.url, LLM_MODELS: 'gpt-x', LLM_CLIENTS: 'on', LLM_MONTHLY_TOKENS_TOTAL: '130' };
    const replicas = [await llmOn(env, database), await llmOn(env, database)] as const;
    server.otherwise = streamed('Yes.', { usage: { prompt_tokens: 50, completion_tokens: 50 } });
    const asked = { prompt: 'a', max_tokens: 100 };
    expect((await replicas[0].call('llm_generate', asked)).isError).toBe(false);
    const { text, isError } = await replicas[1].call('llm_generate', asked, {}, BOB);
    expect([isError, text]).toEqual([true, expect.stringContaining('all clients together have used or reserved 100')]);
    await database.destroy();
  });
});
