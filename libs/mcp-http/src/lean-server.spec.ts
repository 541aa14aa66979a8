import { type JSONRPCMessage, type JSONRPCRequest, Server, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { requestEntryOf } from './exchange-transport.js';
import { checkEnvelopesOnce, remembering } from './known-envelopes.js';
import { LeanServer } from './lean-server.js';

const TRUSTED: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const ENVELOPE = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: {} };

const text = { type: 'text', text: 'hello' };
/** Results that handlers may return, plain and not, valid and invalid. */
const RESULTS: readonly unknown[] = [
  { content: [text] },
  { content: [text, text], isError: true },
  { content: [], structuredContent: { a: 1 } },
  { content: [text], structuredContent: { a: [{}] }, isError: false },
  { structuredContent: { a: 1 } },
  { content: [text], structuredContent: [1] },
  { content: [text], structuredContent: 'text' },
  { content: [text], structuredContent: null },
  { content: [text], isError: 'yes' },
  { content: [text], isError: null },
  { content: [text], isError: undefined },
  { content: [{ ...text, annotations: { priority: 1 } }] },
  { content: [{ ...text, annotations: { priority: 'high' } }] },
  { content: [{ ...text, _meta: { a: 1 } }] },
  { content: [{ ...text, more: 1 }] },
  { content: [{ type: 'text' }] },
  { content: [{ type: 'text', text: 5 }] },
  { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
  { content: [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }] },
  { content: [{ type: 'unknown', text: 'x' }] },
  { content: [null] },
  { content: text },
  { content: [text], _meta: { a: 1 } },
  { content: [text], _meta: 5 },
  { content: [text], more: { a: 1 } },
  { content: [text], resultType: 'complete' },
  { resultType: 'task', taskId: 'one' },
  { resultType: 'input_required', inputRequests: {} },
  {},
];
/** For this result, the SDK repeatedly calls the handler of a session, with pauses. */
const ASKS = { resultType: 'input_required', requestState: 'state' };
const PARAMS: readonly (Record<string, unknown> | undefined)[] = [
  { name: 'a' },
  { name: 'a', arguments: {} },
  { name: 'a', arguments: { b: [1] } },
  { name: 'a', arguments: { b: 1 }, _meta: { progressToken: 1 } },
  { name: 'a', _meta: { progressToken: 'token' } },
  { name: 'a', _meta: { progressToken: 1.5 } },
  { name: 'a', _meta: { progressToken: true } },
  { name: 'a', _meta: { progressToken: null } },
  { name: 'a', _meta: { 'io.modelcontextprotocol/related-task': 5 } },
  { name: 'a', _meta: { other: { deep: 1 } } },
  { name: 'a', _meta: [] },
  { name: 'a', _meta: null },
  { name: 'a', arguments: null },
  { name: 'a', arguments: [] },
  { name: 'a', arguments: 'text' },
  { name: 5 },
  { name: null, arguments: {} },
  { arguments: {} },
  { name: 'a', task: { ttl: 5 } },
  { name: 'a', task: 'soon' },
  { name: 'a', more: 1 },
  { name: 'a', requestState: 'state' },
  { name: 'a', requestState: 5 },
  { name: 'a', inputResponses: { b: { action: 'accept' } } },
  { name: 'a', inputResponses: 5 },
  {},
  undefined,
];

type ServerClass = new (...args: ConstructorParameters<typeof Server>) => Server;

const stateless = (Base: ServerClass): ServerClass =>
  class extends Base {
    protected override _negotiatedProtocolVersion = '2026-07-28';
  };

/** Returns a function in which a server responds to a call whose handler returns `result`. */
function answering(Kind: ServerClass, isLean: boolean) {
  let answered = Promise.withResolvers<JSONRPCMessage>();
  let result: unknown;
  const reached: unknown[] = [];
  const server = new Kind({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  if (isLean) checkEnvelopesOnce(server);
  server.setRequestHandler('tools/call', { params: TRUSTED }, async (params, { mcpReq }) => {
    reached.push(params, mcpReq._meta, mcpReq.envelope, mcpReq.inputResponses);
    return result as never;
  });
  const connected = server.connect({
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => answered.resolve(message),
  });
  return async (params: Record<string, unknown> | undefined, returned: unknown, extra: object) => {
    await connected;
    [answered, result] = [Promise.withResolvers<JSONRPCMessage>(), returned];
    reached.length = 0;
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', ...(params && { params }) } as JSONRPCRequest;
    requestEntryOf(server)?.(request, extra);
    return JSON.stringify([await answered.promise, reached]);
  };
}

/** The answers to wrong requests name the members; the SDK gives the issues as JSON. */
function explained(answer: string): string {
  const issues = /"Invalid tools\/call request: (\[(?:[^"\\]|\\.)*)"/.exec(answer)?.[1];
  if (issues === undefined) return answer;
  const list = JSON.parse(JSON.parse(`"${issues}"`) as string) as { path: string[]; message: string }[];
  const problems = list.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`).join(', ');
  return answer.replace(/"Invalid tools\/call request: (?:[^"\\]|\\.)*"/, () =>
    JSON.stringify(`Invalid params for tools/call: ${problems}`),
  );
}

describe('LeanServer', () => {
  it('names what is wrong with a call', async () => {
    const answer = answering(LeanServer, true);
    const wrong = await answer({ name: 5, arguments: [1] }, { content: [text] }, {});
    expect(wrong).toContain(
      '"message":"Invalid params for tools/call: name: Invalid input: expected string, received number, ' +
        'arguments: Invalid input: expected record, received array"',
    );
  });

  it.each([
    ['in a session', (Base: ServerClass) => Base, (params: (typeof PARAMS)[number]) => params, {}],
    [
      'without a session',
      stateless,
      (params: (typeof PARAMS)[number]) => {
        if (!params) return params;
        const { _meta } = params;
        return _meta === null || Array.isArray(_meta)
          ? params
          : { ...params, _meta: { ...ENVELOPE, ...(_meta as object) } };
      },
      { classification: { era: 'modern', revision: '2026-07-28' } },
    ],
  ])(
    'answers whatever comes and is returned as the server of the SDK does: %s',
    async (_where, kind, withEra, extra) => {
      const [lean, sdk] = [answering(kind(LeanServer), true), answering(kind(Server), false)];
      const answers = new Set<string>();
      for (const params of PARAMS) {
        for (const result of params === PARAMS[1] ? [...RESULTS, ASKS] : RESULTS) {
          const [ours, theirs] = [
            await lean(withEra(params), result, extra),
            await sdk(withEra(params), result, extra),
          ];
          expect([params, result, ours]).toEqual([params, result, explained(theirs)]);
          answers.add(ours);
        }
      }
      expect(answers.size).toBeGreaterThan(PARAMS.length * 5);
    },
  );
});

describe('envelopes', () => {
  it('are checked once, and wrong ones each time', () => {
    let checks = 0;
    const check = remembering(({ envelope }) => {
      checks += 1;
      return envelope === 'wrong' ? 'it is wrong' : undefined;
    });
    expect([1, 2, 3].map(() => check({ envelope: ENVELOPE }))).toEqual([undefined, undefined, undefined]);
    expect(checks).toBe(1);
    expect([1, 2].map(() => check({ envelope: 'wrong' }))).toEqual(['it is wrong', 'it is wrong']);
    expect(checks).toBe(3);
    expect(check({})).toBeUndefined();
  });

  it('are remembered within limits', () => {
    let checks = 0;
    const check = remembering(() => void (checks += 1));
    for (let number = 0; number < 1_001; number += 1) check({ envelope: { number } });
    check({ envelope: { number: 0 } });
    expect(checks).toBe(1_002);
    check({ envelope: { number: 1_000 } });
    expect(checks).toBe(1_002);
    for (let time = 0; time < 2; time += 1) check({ envelope: 'x'.repeat(3_000) });
    expect(checks).toBe(1_004);
  });

  it('are not taken on trust by a server after one that was right', async () => {
    const answer = answering(stateless(LeanServer), true);
    const extra = { classification: { era: 'modern', revision: '2026-07-28' } };
    const call = (meta: object) => answer({ name: 'a', _meta: meta }, { content: [text] }, extra);
    expect(await call(ENVELOPE)).toContain('hello');
    expect(await call({ ...ENVELOPE, [CAPABILITIES_KEY]: 5 })).toContain('Invalid _meta envelope');
    expect(await call(ENVELOPE)).toContain('hello');
  });
});
