import { Logger } from '@nestjs/common';
import { LlmServer, streamed } from '../../../../test/support/llm-server.js';
import { llmOn } from '../testing.js';

const SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' }, note: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
};

describe('an answer that must fit a schema', () => {
  let server: LlmServer;
  beforeAll(() => void Logger.overrideLogger(false));
  beforeAll(async () => void (server = await LlmServer.start()));
  afterAll(() => server.stop());
  beforeEach(() => server.reset());
  const start = () => llmOn({ LLM_URL: server.url, LLM_MODELS: 'gpt-x', LLM_CLIENTS: 'on' });

  it('is asked for by the schema, and returned as data', async () => {
    const llm = await start();
    server.script(streamed('{"total": 3}'), streamed('```json\n{"total": 4}\n```'));
    const { data } = await llm.call('llm_generate', { prompt: 'Sum up', output_schema: SCHEMA });
    expect(data).toMatchObject({ data: { total: 3 }, truncated: false, tokens: { total: 12 } });
    expect(data).not.toHaveProperty('text');
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } };
    expect(server.asked[0]).toMatchObject({ response_format });
    expect((await llm.call('llm_extract', { text: 'Sum: 4', schema: SCHEMA })).data).toMatchObject({
      data: { total: 4 },
    });
    expect(server.asked[1]).toMatchObject({ response_format, messages: [{ role: 'system' }, { content: 'Sum: 4' }] });
  });

  it.each([
    ['thoughts', '<think>A sum? {3}</think>\n\n{"total": 3}'],
    ['thoughts without their beginning', 'A sum?\n</think>\n```json\n{"total": 3}\n```'],
    ['a sentence', 'Here it is:\n```json\n{"total": 3}\n```\nAnything else?'],
  ])('is found after %s', async (_title, text) => {
    const llm = await start();
    server.script(streamed(text));
    const { data } = await llm.call('llm_extract', { text: 'a', schema: SCHEMA });
    expect(data).toMatchObject({ data: { total: 3 } });
    expect(server.asked).toHaveLength(1);
  });

  it('keeps what only looks like thoughts or a code fence', async () => {
    const llm = await start();
    server.script(streamed('{"total": 3, "note": "</think> ```\\n```"}'));
    const { data } = await llm.call('llm_extract', { text: 'a', schema: SCHEMA });
    expect(data).toMatchObject({ data: { total: 3, note: '</think> ```\n```' } });
  });

  it('is checked in what is left of a short time limit, too', async () => {
    const llm = await llmOn({
      LLM_URL: server.url,
      LLM_MODELS: 'gpt-x',
      LLM_CLIENTS: 'on',
      MCP_TOOL_TIMEOUT_MS: '9000',
    });
    server.script(streamed('{"total": 3}'));
    const { text, data } = await llm.call('llm_generate', { prompt: 'Sum up', output_schema: SCHEMA });
    expect([text, data]).toEqual([expect.any(String), expect.objectContaining({ data: { total: 3 } })]);
  });

  it('may be repaired once', async () => {
    const llm = await start();
    server.script(streamed('{"total": "three", "x": 1}'), streamed('{"total": 3}'));
    const { data } = await llm.call('llm_extract', { text: 'a', schema: SCHEMA });
    expect(data).toMatchObject({ data: { total: 3 }, tokens: { prompt: 14, completion: 10, total: 24 } });
    const [, , answer, repair] = server.asked[1]?.messages ?? [];
    expect(answer).toEqual({ role: 'assistant', content: '{"total": "three", "x": 1}' });
    expect(repair?.content).toContain('- total: must be number');
    expect(repair?.content).toContain('unknown property "x"');
  });

  it.each([
    ['it is no JSON', 'Sorry', 'not JSON'],
    ['something is missing', '{"note": "a"}', 'missing required property "total"'],
    ['it is nested too deep', `{"total": ${'['.repeat(70)}${']'.repeat(70)}}`, 'nested deeper than 64'],
  ])('is an error when %s twice', async (_title, text, problem) => {
    const llm = await start();
    server.otherwise = streamed(text);
    const { text: said, isError } = await llm.call('llm_generate', { prompt: 'a', output_schema: SCHEMA });
    expect([isError, said]).toEqual([
      true,
      expect.stringContaining(`does not fit the schema, also when asked again: ${problem}`),
    ]);
    expect(server.asked).toHaveLength(2);
  });

  it('is not asked for again when it was cut off', async () => {
    const llm = await start();
    server.script(streamed('{"total": 3', { finish: 'length' }));
    const { text } = await llm.call('llm_generate', { prompt: 'a', output_schema: SCHEMA });
    expect(text).toContain('cut off at max_tokens: raise it');
    expect(server.asked).toHaveLength(1);
  });

  it('is asked for in words when the API takes no schema', async () => {
    const llm = await start();
    server.otherwise = (asked, response, request) => {
      const reply = asked.response_format ? refusal : streamed('{"total": 5}');
      return reply(asked, response, request);
    };
    const { data } = await llm.call('llm_generate', { prompt: 'a', output_schema: SCHEMA });
    expect(data).toMatchObject({ data: { total: 5 } });
    expect(server.asked[1]?.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
  });

  it.each([
    ['has another type', { type: 'array', items: {} }, 'its "type" must be "object"'],
    ['is not valid', { type: 'object', properties: { a: { type: 'strng' } } }, '/properties/a/type'],
    ['is too large', { type: 'object', description: 'x'.repeat(16_400) }, 'at most 16384 are allowed'],
    ['leads outside', { type: 'object', $ref: 'https://example.com/schema' }, 'cannot be used'],
    ['is nested too deep', nested(40), 'nested deeper than 32 levels'],
  ])('is not asked for when the schema %s', async (_title, schema, message) => {
    const llm = await start();
    const { text, isError } = await llm.call('llm_extract', { text: 'a', schema });
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
    expect(server.asked).toEqual([]);
  });

  it('blocks nobody with a pattern that never ends', async () => {
    const env = { LLM_URL: server.url, LLM_MODELS: 'gpt-x', LLM_CLIENTS: 'on' };
    const llm = await llmOn({ ...env, MCP_TOOL_TIMEOUT_MS: '250000' });
    server.otherwise = streamed(JSON.stringify({ a: `${'a'.repeat(60)}!` }));
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const turns = { count: 0 };
    const counting = setInterval(() => (turns.count += 1), 5);
    const { text, isError } = await llm.call('llm_extract', { text: 'a', schema });
    clearInterval(counting);
    expect([isError, text]).toEqual([true, expect.stringContaining('too large to validate in time')]);
    expect(turns.count).toBeGreaterThan(100);
  });

  it('of a classification is one of the labels', async () => {
    const llm = await start();
    const labels = ['bug', 'question', 'other'];
    server.script(streamed('{"label":"idea"}'), streamed('{"label":"question"}'));
    const { data } = await llm.call('llm_classify', { text: 'How?', labels, descriptions: { bug: 'It is broken' } });
    expect(data).toMatchObject({ label: 'question', labels: ['question'], tokens: { total: 24 } });
    expect(server.asked[0]?.messages[0]?.content).toContain('- bug: It is broken\n- question\n- other');
    server.script(streamed('{"labels":["other","bug","other"]}'), streamed('{"labels":[]}'));
    const several = { text: 'Help', labels, multiple: true };
    expect((await llm.call('llm_classify', several)).data).toMatchObject({ label: 'bug', labels: ['bug', 'other'] });
    expect((await llm.call('llm_classify', several)).data).toMatchObject({ label: null, labels: [] });
  });

  it.each([
    ['llm_generate', { prompt: '' }],
    ['llm_generate', { prompt: 'x'.repeat(200_001) }],
    ['llm_generate', { prompt: 'a', max_tokens: 0 }],
    ['llm_classify', { text: 'a', labels: [] }],
    ['llm_classify', { text: 'a', labels: ['a', 'a'] }],
    ['llm_classify', { text: 'a', labels: ['x'.repeat(101)] }],
    ['llm_classify', { text: 'a', labels: ['a'], descriptions: { a: 'x'.repeat(501) } }],
    ['llm_extract', { text: 'a', schema: [] }],
  ])('is not asked for by arguments that do not fit: %s', async (name, args) => {
    const llm = await start();
    const { text, isError } = await llm.call(name, args);
    expect([isError, text]).toEqual([true, expect.stringContaining('do not fit the input schema')]);
    expect(server.asked).toEqual([]);
  });
});

function refusal(_asked: unknown, response: { writeHead: (status: number) => { end: (text: string) => unknown } }) {
  return response.writeHead(400).end('{"error":"response_format json_schema is not supported"}');
}

function nested(depth: number): object {
  let schema: object = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = { not: schema };
  return { type: 'object', ...schema };
}
