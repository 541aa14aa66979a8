import { type InboundMessage, readMessage } from './json-rpc.js';
import { messageProblem, nameProblem, unstorableProblem, withStorableResult } from './request-body.js';
import { ROOMY_LIMITS } from './testing.js';

const limits = { ...ROOMY_LIMITS, maxIdLength: 10, maxUriLength: 20, maxInitializeBytes: 100 };

function read(value: object): InboundMessage {
  const message = readMessage({ jsonrpc: '2.0', ...value });
  if (!message) throw new Error(`no message: ${JSON.stringify(value)}`);
  return message;
}
const request = (params: object) => ({ id: 1, method: 'm', params });
const problemOf = (value: object, bytes = 0) => messageProblem(read(value), limits, bytes);
const tooLong = (where: string, length: number) =>
  `${where} is too long: the limit is ${length} characters. Send a shorter one`;

describe('what a message names', () => {
  it.each<[string, (text: string) => object]>([
    ['id', (id) => ({ id, method: 'm' })],
    ['id', (id) => ({ id, result: {} })],
    ['id', (id) => ({ id, error: { code: 1, message: 'no' } })],
    ['method', (method) => ({ id: 1, method })],
    ['method', (method) => ({ method })],
    ['params._meta.progressToken', (progressToken) => request({ _meta: { progressToken } })],
  ])('may have %s of 10 characters, and no more', (where, withText) => {
    expect(problemOf(withText('x'.repeat(10)))).toBeNull();
    const message = tooLong(where, 10);
    expect(problemOf(withText('x'.repeat(11)))).toEqual({ httpStatus: 400, code: -32600, message });
  });

  it.each<[string, number, (text: unknown) => object]>([
    ['params.name', 10, (name) => ({ name })],
    ['params.taskId', 10, (taskId) => ({ taskId })],
    ['params.uri', 20, (uri) => ({ uri })],
    ['params.cursor', 20, (cursor) => ({ cursor })],
    ['params.ref.name', 10, (name) => ({ ref: { name } })],
    ['params.ref.uri', 20, (uri) => ({ ref: { uri } })],
    ['params.argument.name', 10, (name) => ({ ref: {}, argument: { name } })],
    ['params.argument.value', 20, (value) => ({ ref: 'no object', argument: { value } })],
    ['A value of params.context.arguments', 20, (value) => ({ ref: {}, context: { arguments: { value } } })],
  ])('may be %s of %i characters that can be stored, and no more', (where, length, withText) => {
    const problem = (text: unknown) => problemOf(request(withText(text)));
    expect(problem('x'.repeat(length))).toBeNull();
    const message = tooLong(where, length);
    expect(problem('x'.repeat(length + 1))).toEqual({ httpStatus: 400, code: -32602, message });
    const unstorable = {
      httpStatus: 400,
      code: -32602,
      message: expect.stringContaining(`${where} holds NUL`) as unknown,
    };
    expect([problem('a\0'), problem('\ud800')]).toEqual([unstorable, unstorable]);
    // The schema of the method rejects them.
    expect([problem(1e15), problem({}), problem(null)]).toEqual([null, null, null]);
  });

  it.each<[string, object]>([
    ['a request without params', { id: 1, method: 'm' }],
    ['an id that is a number', { id: 1e12, method: 'm' }],
    ['a progress token that is a number', request({ _meta: { progressToken: 1e12 } })],
    ['_meta without a progress token', request({ _meta: { more: 'x'.repeat(100) } })],
    ['other params', request({ arguments: { name: 'x'.repeat(100) } })],
    ['an argument of what is no completion', request({ argument: { name: 'x'.repeat(100) } })],
    ['an argument that is no object', request({ ref: {}, argument: 'x'.repeat(100) })],
    ['a result', { id: 1, result: { name: 'x'.repeat(100) } }],
  ])('is not limited in %s', (_case, message) => expect(problemOf(message)).toBeNull());
});

describe('the bytes of a message', () => {
  it('are limited for initialize alone, because it is kept', () => {
    const initialize = { id: 1, method: 'initialize' };
    expect(problemOf(initialize, 100)).toBeNull();
    expect(problemOf(initialize, 101)).toMatchObject({
      httpStatus: 413,
      code: -32000,
      message: expect.stringContaining('it has 101 bytes, the limit is 100') as unknown,
    });
    expect(problemOf({ id: 1, method: 'ping' }, 101)).toBeNull();
    expect(problemOf({ id: 1, result: {} }, 101)).toBeNull();
  });
});

describe('nameProblem', () => {
  it('takes every text that is empty or as long as the limit', () => {
    const problem = (text: string) => nameProblem('it', text, 3);
    expect([problem(''), problem('abc')]).toEqual([null, null]);
    expect(problem('abcd')?.message).toContain('it is too long: the limit is 3 characters');
  });
});

describe('a text that cannot be stored', () => {
  it.each([
    ['params.arguments.tags[1]', { arguments: { tags: ['a', 'x\0y'] } }],
    ['params.arguments.a', { arguments: { a: '\ud800' } }],
    ['a name in params.arguments', { arguments: { 'a\0': 1 } }],
  ])('is refused as %s of a request', (place, params) => {
    const message = `${place} holds NUL or half of a character (a lone surrogate). Send it without`;
    expect(unstorableProblem(read(request(params)))).toEqual({ httpStatus: 400, code: -32602, message });
  });

  it.each([
    ['_meta, which answers repeat', request({ a: '', _meta: { progressToken: 'a\0' } })],
    ['an id', { id: 'a\0', method: 'm' }],
    ['an error', { id: 1, error: { code: 1, message: 'a\0' } }],
    ['a notification', { method: 'm', params: { a: '\0' } }],
  ])('passes in %s', (_case, value) => {
    expect(unstorableProblem(read(value))).toBeNull();
    expect(withStorableResult(read(value))).toStrictEqual(read(value));
  });

  it('is left out of a result, which nobody can refuse', () => {
    const message = read({ id: 'a\0', result: { text: 'x\0y', more: ['\ud800'] } });
    expect(unstorableProblem(message)).toBeNull();
    expect(withStorableResult(message)).toStrictEqual(read({ id: 'a\0', result: { text: 'xy', more: ['\ufffd'] } }));
  });
});
