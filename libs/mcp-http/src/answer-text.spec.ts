import { type JSONRPCResponse, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { answerText } from './responses.js';
import { ErrorCode } from './json-rpc.js';

const answerOf = (result: Record<string, unknown>): JSONRPCResponse => ({ jsonrpc: '2.0', id: 'seven', result });
const bytesOf = (message: JSONRPCResponse) => Buffer.byteLength(JSON.stringify(message));
const read = (...params: Parameters<typeof answerText>): unknown => JSON.parse(answerText(...params));

describe('an answer', () => {
  const plain = answerOf({ text: 'x'.repeat(100) });
  const wide = answerOf({ text: '€'.repeat(100) });

  it.each([
    ['takes one byte for each character', plain],
    ['takes three bytes for each character', wide],
  ])('is sent as it is when it fits exactly and %s', (_title, message) => {
    const most = bytesOf(message);
    expect(answerText(message, 'tools/call', { most, used: 0 })).toBe(JSON.stringify(message));
    expect(answerText(message, 'tools/call', { most: most + 50, used: 50 })).toBe(JSON.stringify(message));
    expect(read(message, 'tools/call', { most: most - 1, used: 0 })).toMatchObject({ result: { isError: true } });
    expect(read(message, 'tools/call', { most: most + 49, used: 50 })).toMatchObject({ result: { isError: true } });
  });

  it('of a tool that is too large becomes a result that tells the model what to do', () => {
    const size = `${bytesOf(plain)} bytes of JSON, the limit is 90`;
    const text = `The result is too large: ${size} (setting mcp.max_result_bytes). Ask for less at once, or have the administrator raise mcp.max_result_bytes.`;
    expect(read(plain, 'tools/call', { most: 90, used: 0 })).toEqual({
      jsonrpc: '2.0',
      id: 'seven',
      result: { content: [{ type: 'text', text }], isError: true },
    });
  });

  it('keeps, when it is too large, that it is complete and which server sent it', () => {
    const _meta = { [SERVER_INFO_META_KEY]: { name: 'test', version: '1' }, other: 'gone' };
    const large = answerOf({ resultType: 'task', taskId: 'one', _meta, text: 'x'.repeat(100) });
    const { result } = read(large, 'tools/call', { most: 90, used: 0 }) as { result: Record<string, unknown> };
    expect(Object.keys(result).sort()).toEqual(['_meta', 'content', 'isError', 'resultType']);
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(result['_meta']).toEqual({ [SERVER_INFO_META_KEY]: { name: 'test', version: '1' } });
  });

  it('of another method that is too large becomes an error', () => {
    const size = `${bytesOf(plain)} bytes of JSON, the limit is 90`;
    expect(read(plain, 'resources/read', { most: 90, used: 0 })).toEqual({
      jsonrpc: '2.0',
      id: 'seven',
      error: {
        code: ErrorCode.refused,
        message: `The result is too large: ${size} (setting mcp.max_result_bytes). Ask for less`,
      },
    });
  });

  it('says that the limit is for all of a batch only when others have used a part of it', () => {
    const used = answerText(plain, 'tools/call', { most: 90, used: 1 });
    expect(used).toContain('the limit is 90 for all answers to a batch (setting');
  });

  it('that is an error too large to send becomes a shorter error', () => {
    const large: JSONRPCResponse = { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'x'.repeat(100) } };
    expect(read(large, 'tools/call', { most: 90, used: 0 })).toMatchObject({
      id: 7,
      error: { code: ErrorCode.refused },
    });
    expect(answerText(large, 'tools/call', { most: 90, used: 0 })).toContain('The result is too large');
  });

  it('that cannot be written as JSON becomes an internal error', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const error = { code: ErrorCode.internalError, message: 'Internal error: the result cannot be written as JSON' };
    expect(read(answerOf(circular), 'tools/call', { most: 1_000, used: 0 })).toEqual({
      jsonrpc: '2.0',
      id: 'seven',
      error,
    });
    const nameless = { jsonrpc: '2.0' as const, error: { code: 1, message: 'no', data: circular } };
    expect(read(nameless, 'tools/call', { most: 1_000, used: 0 })).toEqual({ jsonrpc: '2.0', id: null, error });
  });
});
