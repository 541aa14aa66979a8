import { type StepResult, testConnection } from './connection-test';
import type { Answer, Outgoing, Send } from './exchange';

const SESSION = '2025-06-18';
const STATELESS = '2026-07-28';

/** A fake endpoint that responds like the real one, except where the test overrides it. */
function endpoint(except: (outgoing: Outgoing) => Partial<Answer> | null = () => null) {
  const received: Outgoing[] = [];
  const send: Send = async (outgoing) => {
    received.push(outgoing);
    const method = outgoing.body?.['method'];
    const result = {
      initialize: { serverInfo: { name: 'agent-service', version: '1' } },
      'server/discover': { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'agent-service', version: '1' } } },
      'tools/list': { tools: [{ name: 'echo' }, { name: 'system_info' }] },
      'tools/call': { content: [{ type: 'text', text: 'it is noon' }] },
    }[String(method)];
    const answer = {
      status: 200,
      sessionId: method === 'initialize' ? 's1' : null,
      message: result ? { result } : null,
    };
    return { ...answer, ...except(outgoing) };
  };
  return { send, received };
}

async function run(send: Send): Promise<StepResult[]> {
  const results: StepResult[] = [];
  let time = 0;
  for await (const result of testConnection(send, () => (time += 5))) results.push(result);
  return results;
}

describe('testConnection', () => {
  it('tests both transports and reports the responses', async () => {
    const results = await run(endpoint().send);
    expect(results.map(({ protocolVersion, summary }) => [protocolVersion, summary])).toEqual([
      [SESSION, 'agent-service 1'],
      [SESSION, 'Accepted'],
      [SESSION, '2 skills'],
      [SESSION, 'it is noon'],
      [SESSION, 'Ended'],
      [STATELESS, 'agent-service 1'],
      [STATELESS, '2 skills'],
      [STATELESS, 'it is noon'],
    ]);
    expect(results.every(({ failure, durationMs }) => failure === null && durationMs === 5)).toBe(true);
  });

  it('stays in the session it opened', async () => {
    const { send, received } = endpoint();
    await run(send);
    expect(received.slice(1, 5).map(({ headers }) => headers)).toEqual(
      Array(4).fill({ 'MCP-Protocol-Version': SESSION, 'Mcp-Session-Id': 's1' }),
    );
    expect(received[4]?.method).toBe('DELETE');
  });

  it('says in headers and body what stateless requests must', async () => {
    const { send, received } = endpoint();
    await run(send);
    expect(received[7]).toMatchObject({
      headers: { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'system_info' },
      body: { params: { _meta: { 'io.modelcontextprotocol/protocolVersion': STATELESS } } },
    });
    expect(received[6]?.headers).not.toHaveProperty('Mcp-Name');
  });

  it('goes no further in a way of speaking that fails, but tries the other', async () => {
    const refused = { status: 401, message: { error: { code: -32000, message: 'Invalid API key' } } };
    const results = await run(endpoint(({ body }) => (body?.['method'] === 'initialize' ? refused : null)).send);
    expect(results.map(({ protocolVersion }) => protocolVersion)).toEqual([SESSION, STATELESS, STATELESS, STATELESS]);
    expect(results[0]).toMatchObject({
      summary: 'HTTP 401: Invalid API key',
      failure: { fix: expect.stringContaining('Check the key') as string },
    });
  });

  it('ends the session even when the call fails', async () => {
    const failed = { message: { error: { code: -32602, message: 'Unknown tool' } } };
    const results = await run(endpoint(({ body }) => (body?.['id'] === 3 ? failed : null)).send);
    expect(results.slice(3, 5).map(({ failure }) => failure === null)).toEqual([false, true]);
  });

  it('accepts a connection whose key may not use the skill that the test would call', async () => {
    const others = { message: { result: { tools: [{ name: 'echo' }] } } };
    const results = await run(endpoint(({ body }) => (body?.['method'] === 'tools/list' ? others : null)).send);
    expect(results.every(({ failure, title }) => failure === null && !title.includes('tools/call'))).toBe(true);
    expect(results.filter(({ summary }) => /^1 skill, .*disabled under Skills/.test(summary))).toHaveLength(2);
  });

  it('says what to do when nothing answers', async () => {
    const [first] = await run(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(first?.failure).toEqual({
      problem: 'Failed to fetch',
      fix: expect.stringContaining('could not be reached') as string,
    });
  });
});
