import { Logger } from '@nestjs/common';
import { until } from '../../../../test/support/until.js';
import {
  beginStream,
  choices,
  cut,
  endless,
  LlmServer,
  type Reply,
  refused,
  send,
  silent,
  streamed,
  whole,
} from '../../../../test/support/llm-server.js';
import { ALICE } from '../../../core/skills/testing.js';
import { monthOf } from '../models/tokens.rules.js';
import { llmOn } from '../testing.js';

const KEY = 'sk-of-the-first';
const USED = { prompt: 7, completion: 5, total: 12 };

describe('a call that asks a language model', () => {
  let first: LlmServer;
  let second: LlmServer;
  const logged: unknown[] = [];
  beforeAll(async () => {
    [first, second] = [await LlmServer.start(), await LlmServer.start()];
    const keep = (...said: unknown[]) => void logged.push(said);
    Logger.overrideLogger({ log: keep, error: keep, warn: keep, debug: keep, verbose: keep, fatal: keep });
  });
  afterAll(() => Promise.all([first.stop(), second.stop()]));
  beforeEach(() => {
    for (const server of [first, second]) server.reset();
    logged.length = 0;
  });

  const one = () => ({ LLM_URL: first.url, LLM_MODELS: 'fast = gpt-x', LLM_API_KEY: KEY, LLM_CLIENTS: 'on' });
  const two = () => ({ ...one(), LLM_SECOND_URL: second.url, LLM_SECOND_MODELS: 'other' });
  const usedOf = (llm: Awaited<ReturnType<typeof llmOn>>) => llm.usage.used(monthOf(new Date()), ALICE.name);

  it('returns the streamed text, and reports it on the way', async () => {
    const llm = await llmOn(one());
    const told: [number, string | undefined][] = [];
    first.script(streamed('Größe: 10 €, 你好 and more'));
    const progress = (count: number, _total?: number, message?: string) => void told.push([count, message]);
    const { data, text } = await llm.call('llm_generate', { prompt: 'Hi', system: 'Be kind' }, { progress });
    expect(data).toEqual({ text: 'Größe: 10 €, 你好 and more', truncated: false, model: 'fast', tokens: USED });
    expect(text).toBe('Größe: 10 €, 你好 and more');
    expect(told[0]).toEqual([5, 'Größe']);
    expect(first.authorizations).toEqual([`Bearer ${KEY}`]);
    expect(first.asked).toEqual([
      {
        model: 'gpt-x',
        messages: [
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: 'Hi' },
        ],
        max_tokens: 4096,
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
    expect(await usedOf(llm)).toBe(12);
  });

  it('takes an answer that is not streamed, one in pieces of bytes, and one without a count', async () => {
    const llm = await llmOn(one());
    first.script(whole('At once'), async (_asked, response) => {
      beginStream(response);
      const bytes = Buffer.from(
        `: hello\r\n\r\ndata: {"choices":[{"delta":{"content":"ü"}}]}\r\n\r\ndata: {"choices":[{"delta":{"content":"!"},"finish_reason":"stop"}]}\r\n\r\n`,
      );
      for (const byte of bytes) await new Promise((sent) => response.write(Buffer.from([byte]), sent));
      response.end();
    });
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ text: 'At once', tokens: USED });
    const { data } = await llm.call('llm_generate', { prompt: 'a' });
    expect(data).toMatchObject({ text: 'ü!', tokens: { completion: 9 } });
  });

  it('asks the model that is named, and says which there are', async () => {
    const llm = await llmOn({ ...one(), LLM_MODELS: 'fast = gpt-x, big' });
    expect((await llm.call('llm_generate', { prompt: 'a', model: 'big' })).data).toMatchObject({ model: 'big' });
    expect(first.asked[0]?.model).toBe('big');
    const { text, isError } = await llm.call('llm_generate', { prompt: 'a', model: 'huge' });
    expect([isError, text]).toEqual([true, expect.stringContaining('no model "huge". The models are: fast, big.')]);
  });

  it('counts for its client, and not for another one that has had the name', async () => {
    first.script(streamed('Hello.'));
    const llm = await llmOn({ ...one(), LLM_MONTHLY_TOKENS: '10000' });
    const heir = { ...ALICE, owner: `${ALICE.name} 2026-11-01T00:00:00.000Z` };
    await llm.usage.reserve({ month: monthOf(new Date()), principal: ALICE.name, tokens: 9_999 }, { own: 0, total: 0 });
    expect((await llm.call('llm_generate', { prompt: 'Hi' })).isError).toBe(true);
    expect((await llm.call('llm_generate', { prompt: 'Hi' }, {}, heir)).isError).toBe(false);
    expect(await llm.usage.used(monthOf(new Date()), heir.owner)).toBe(12);
  });

  it('says that an answer was cut off', async () => {
    const llm = await llmOn(one());
    first.script(streamed('Once upon', { finish: 'length' }));
    const { data } = await llm.call('llm_generate', { prompt: 'a', max_tokens: 2 });
    expect(data).toMatchObject({
      text: 'Once upon',
      truncated: true,
      hint: expect.stringContaining('max_tokens') as string,
    });
  });

  it('waits as long as the API asks for when it has too much to do', async () => {
    const llm = await llmOn(one());
    first.script(refused(429, 'slow down', { 'retry-after': '1' }));
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ text: 'Hello there.' });
    expect([first.asked.length, await usedOf(llm)]).toEqual([2, 12]);
  });

  it('does not wait longer than its time limit, and says how long the API asks to wait', async () => {
    const llm = await llmOn(one());
    first.script(refused(429, 'slow down', { 'retry-after': '3600' }));
    const { text } = await llm.call('llm_generate', { prompt: 'a' });
    expect(text).toContain('answered 429: slow down');
    expect(text).toContain('It asks to wait 3600 s.');
    expect([first.asked.length, await usedOf(llm)]).toEqual([1, 0]);
  });

  it('asks the second model, without the key of the first, when that fails twice', async () => {
    const llm = await llmOn(two());
    first.script(refused(500), refused(503));
    const { data } = await llm.call('llm_generate', { prompt: 'a' });
    expect(data).toMatchObject({ text: 'Hello there.', model: 'other', tokens: USED });
    expect([first.asked.length, second.authorizations]).toEqual([2, [undefined]]);
  });

  it('retries when a stream is cut, and counts the received tokens', async () => {
    const llm = await llmOn(one());
    first.script(cut('Hel'));
    const { data } = await llm.call('llm_generate', { prompt: 'a' });
    expect(data).toMatchObject({ text: 'Hello there.', tokens: { total: 12 + 18 } });
    expect(await usedOf(llm)).toBe(12 + 18);
  });

  it('takes an answer that was complete before its stream was cut, and pays for it once', async () => {
    const llm = await llmOn(one());
    first.script(cut('All of it.', 'stop'));
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ text: 'All of it.' });
    expect(first.asked).toHaveLength(1);
  });

  it('does not wait for the end of a stream that stays open after the answer', async () => {
    const llm = await llmOn(one());
    first.script(choices([{ delta: { content: 'All of it.' }, finish_reason: 'stop' }], { end: 'never' }));
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ text: 'All of it.' });
    expect(first.asked).toHaveLength(1);
    await until(() => first.givenUp === 1);
  });

  it('takes the text of a content in parts, without what the model thinks', async () => {
    const llm = await llmOn(one());
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] };
    const parts = [
      [thinking],
      [
        { type: 'text', text: 'On ' },
        { type: 'text', text: 'Tuesdays.' },
      ],
    ];
    first.script(choices([...parts.map((content) => ({ delta: { content } })), { delta: {}, finish_reason: 'stop' }]));
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ text: 'On Tuesdays.' });
    expect(first.asked).toHaveLength(1);
  });

  const calling = { tool_calls: [{ index: 0, id: '1', function: { name: 'look', arguments: '{}' } }] };
  it.each<[string, Reply]>([
    ['has no choices', choices([])],
    ['has no text', choices([{ delta: { content: null }, finish_reason: 'stop' }])],
    ['calls a tool', choices([{ delta: calling, finish_reason: 'tool_calls' }])],
    ['ends in an error', choices([{ delta: { content: 'On T' }, finish_reason: 'error' }])],
    ['is half', choices([{ delta: { content: 'On T' }, finish_reason: '' }], { end: 'early' })],
  ])('takes no answer that %s, and asks again', async (_title, reply) => {
    const llm = await llmOn(two());
    first.otherwise = reply;
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ model: 'other' });
    expect(first.asked).toHaveLength(2);
  });

  it('says why an answer has no text', async () => {
    const llm = await llmOn({ ...one(), MCP_TOOL_TIMEOUT_MS: '3000' });
    first.otherwise = choices([{ delta: calling, finish_reason: 'tool_calls' }]);
    const { text, isError } = await llm.call('llm_generate', { prompt: 'a' });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining('without text, and stopped because of "tool_calls"'),
    ]);
  });

  it('does not quote the key in a refusal of the model', async () => {
    const llm = await llmOn(one());
    first.script(choices([{ delta: { refusal: `I know ${KEY}` }, finish_reason: 'stop' }]));
    const { text } = await llm.call('llm_generate', { prompt: 'a' });
    expect(text).toContain('does not want to answer: I know ***.');
  });

  it('asks again when the API fails in the middle of a stream', async () => {
    const llm = await llmOn(one());
    first.script((_asked, response) => {
      beginStream(response);
      send(response, { error: { message: 'overloaded' } });
      response.end();
    });
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ text: 'Hello there.' });
  });

  it('lets the second model answer when the first one sends nothing more', async () => {
    const llm = await llmOn({ ...two(), MCP_TOOL_TIMEOUT_MS: '4000' });
    first.otherwise = silent('Wait');
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ model: 'other' });
    await until(() => first.givenUp > 0);
  });

  it('stops at the time limit of the tool, ends the request, and counts its prompt', async () => {
    // On a busy machine, the limit is extended: the model would be given up before a shorter one.
    const llm = await llmOn({ ...one(), MCP_TOOL_TIMEOUT_MS: '3000' });
    first.otherwise = silent();
    const { text, isError } = await llm.call('llm_generate', { prompt: 'a'.repeat(3000) });
    expect([isError, text]).toEqual([true, expect.stringContaining('did not finish within 3000 ms')]);
    await until(() => first.givenUp === 1);
    await until(async () => (await usedOf(llm)) === 1000 + 8);
  });

  it('ends the request when the call is cancelled', async () => {
    const llm = await llmOn(one());
    const cancelling = new AbortController();
    first.otherwise = (_asked, response) => {
      beginStream(response);
      cancelling.abort();
    };
    const { isError } = await llm.call('llm_generate', { prompt: 'a' }, { signal: cancelling.signal });
    expect(isError).toBe(true);
    await until(() => first.givenUp === 1);
  });

  it.each([
    ['of text', endless('word '), 'longer than 400000 characters'],
    ['of nothing', endless(''), 'larger than 16777216 bytes'],
    [
      'that is one event',
      ((_asked, response) => {
        beginStream(response);
        const more = (): void => {
          while (!response.destroyed && response.write('data: '.padEnd(65_536, 'x'))) continue;
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      }) satisfies ReturnType<typeof endless>,
      'longer than 2097152 characters',
    ],
  ])('gives up a stream without an end %s', async (_title, reply, message) => {
    const llm = await llmOn({ ...one(), MCP_TOOL_TIMEOUT_MS: '120000' });
    first.otherwise = reply;
    const { text, isError } = await llm.call('llm_generate', { prompt: 'a' });
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
    await until(() => first.givenUp > 0);
    expect(first.asked).toHaveLength(1);
  });

  it.each<[number, string, string]>([
    [401, `Incorrect API key provided: ${KEY}`, 'an administrator enters the key under Config'],
    [403, 'no', 'It does not accept the key'],
    [404, 'The model `gpt-x` does not exist', 'It knows no model gpt-x'],
    [400, "This model's maximum context length is 8192 tokens", 'shorten it'],
    [400, `odd ${KEY} value`, 'odd *** value'],
    [413, 'large', 'shorten it'],
  ])('says what is wrong after %d: %s', async (status, reason, message) => {
    const llm = await llmOn(two());
    first.script(refused(status, reason));
    const { text, isError } = await llm.call('llm_generate', { prompt: 'a' });
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
    expect(text).not.toContain(KEY);
    expect([first.asked.length, second.asked.length, await usedOf(llm)]).toEqual([1, 0, 0]);
  });

  it('follows no redirect', async () => {
    const llm = await llmOn(one());
    first.script(refused(307, '', { location: second.url + '/chat/completions' }));
    const { text } = await llm.call('llm_generate', { prompt: 'a' });
    expect(text).toContain('It redirects, which is not followed with a key');
    expect(second.authorizations).toEqual([]);
  });

  it('omits parameters that an API does not support, and remembers that', async () => {
    const llm = await llmOn(one());
    first.script(
      refused(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      refused(422, 'extra fields: stream_options'),
      streamed('Yes.', { usage: null }),
    );
    expect((await llm.call('llm_generate', { prompt: 'a', max_tokens: 9 })).data).toMatchObject({ text: 'Yes.' });
    await llm.call('llm_generate', { prompt: 'a', max_tokens: 9 });
    for (const asked of first.asked.slice(2)) {
      expect(asked).toEqual({
        model: 'gpt-x',
        messages: [{ role: 'user', content: 'a' }],
        max_completion_tokens: 9,
        stream: true,
      });
    }
    expect(first.asked).toHaveLength(4);
  });

  it('says that something else answers than a chat API', async () => {
    const llm = await llmOn(one());
    first.script((_asked, response) => response.end('<html>Welcome</html>'));
    const { text } = await llm.call('llm_generate', { prompt: 'a' });
    expect(text).toContain('does not answer as a chat API does');
  });

  it.each<[string, Reply]>([
    ['has no credit left', refused(402, 'Insufficient balance')],
    ['shows a web page instead', (_asked, response) => response.end('<html>We are back soon</html>')],
  ])('asks the second model at once when the first server %s', async (_title, reply) => {
    const llm = await llmOn(two());
    first.otherwise = reply;
    expect((await llm.call('llm_generate', { prompt: 'a' })).data).toMatchObject({ model: 'other' });
    expect(first.asked).toHaveLength(1);
  });

  it('presents a key only to the server that it was entered for', async () => {
    const llm = await llmOn({ LLM_CLIENTS: 'on', LLM_MODELS: 'gpt-x' });
    await llm.settings.set('llm.url', first.url);
    await llm.settings.set('llm.api_key', KEY);
    await llm.settings.set('llm.url', second.url);
    const { text } = await llm.call('llm_generate', { prompt: 'a' });
    expect(text).toContain('enter the key again');
    expect(second.authorizations).toEqual([]);
  });

  it('writes neither prompts nor answers nor keys to the log', async () => {
    const llm = await llmOn(one());
    first.script(refused(400, 'your prompt my-secret-prompt is bad'));
    await llm.call('llm_generate', { prompt: 'my-secret-prompt' });
    first.script(cut('my-secret-answer'), streamed('my-secret-answer'));
    await llm.call('llm_generate', { prompt: 'my-secret-prompt' });
    first.script(streamed('my-secret-answer'), streamed('my-secret-answer'));
    await llm.call('llm_generate', { prompt: 'my-secret-prompt', output_schema: { type: 'object' } });
    const said = JSON.stringify(logged);
    expect(said).toContain('A language model failed');
    expect(said).toContain('A language model answered');
    expect(said).not.toMatch(new RegExp(`my-secret|${KEY}`));
  });
});
