import { ProtocolError } from '@modelcontextprotocol/server';
import {
  errorMessage,
  isResourceNotFound,
  readableId,
  readMessage,
  ResourceNotFoundError,
  shortened,
} from './json-rpc.js';

const jsonrpc = '2.0';

describe('readMessage', () => {
  it.each([
    ['with a text as id', { jsonrpc, id: 'a', method: 'ping' }],
    ['with a number as id', { jsonrpc, id: 0, method: 'ping' }],
    ['with params', { jsonrpc, id: 1, method: 'm', params: { a: 1 } }],
    ['with _meta', { jsonrpc, id: 1, method: 'm', params: { _meta: {} } }],
    ['with a progress token', { jsonrpc, id: 1, method: 'm', params: { _meta: { progressToken: 't', more: [] } } }],
    ['with a number as progress token', { jsonrpc, id: 1, method: 'm', params: { _meta: { progressToken: 0 } } }],
  ])('reads a request %s', (_case, message) =>
    expect(readMessage(message)).toStrictEqual({ kind: 'request', message }),
  );

  it.each([
    ['without params', { jsonrpc, method: 'm' }],
    ['with params', { jsonrpc, method: 'm', params: { a: [1] } }],
  ])('reads a notification %s', (_case, message) =>
    expect(readMessage(message)).toStrictEqual({ kind: 'notification', message }),
  );

  it.each([
    ['a result', { jsonrpc, id: 1, result: {} }],
    ['an error', { jsonrpc, id: 'a', error: { code: -1, message: '' } }],
    ['an error with data', { jsonrpc, id: 'a', error: { code: -1, message: 'no', data: 0 } }],
  ])('reads a response with %s', (_case, message) =>
    expect(readMessage(message)).toEqual({ kind: 'response', message }),
  );

  it('leaves out members that JSON-RPC does not define', () => {
    const more = { more: 1 };
    const read = (value: object) => readMessage({ jsonrpc, ...more, ...value })?.message;
    expect(read({ id: 1, method: 'm', result: {} })).toStrictEqual({ jsonrpc, id: 1, method: 'm' });
    expect(read({ method: 'm', error: {} })).toStrictEqual({ jsonrpc, method: 'm' });
    expect(read({ id: 1, result: { a: 1 }, params: {} })).toStrictEqual({ jsonrpc, id: 1, result: { a: 1 } });
    const error = { code: 1, message: 'no' };
    expect(read({ id: 1, error: { ...error, ...more } })).toEqual({ jsonrpc, id: 1, error });
  });

  it('treats null, and a list of no arguments, as absent, where it can mean nothing else', () => {
    const read = (params: unknown) => readMessage({ jsonrpc, id: 1, method: 'm', params })?.message;
    expect(read(null)).toStrictEqual({ jsonrpc, id: 1, method: 'm' });
    expect(read({ name: 'a', arguments: null })).toStrictEqual({ jsonrpc, id: 1, method: 'm', params: { name: 'a' } });
    expect(read({ name: 'a', arguments: [] })).toStrictEqual({ jsonrpc, id: 1, method: 'm', params: { name: 'a' } });
    expect(read({ arguments: [1], cursor: [] })).toMatchObject({ params: { arguments: [1], cursor: [] } });
    expect(read({ cursor: null })).toStrictEqual({ jsonrpc, id: 1, method: 'm', params: {} });
    expect(read({ other: null })).toStrictEqual({ jsonrpc, id: 1, method: 'm', params: { other: null } });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', '2.0'],
    ['a list', [{ jsonrpc, id: 1, method: 'm' }]],
    ['an object without a version', { id: 1, method: 'm' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'm' }],
    ['the version as a number', { jsonrpc: 2, id: 1, method: 'm' }],
    ['a method that is no text', { jsonrpc, id: 1, method: 1 }],
    ['a method that is null', { jsonrpc, id: 1, method: null, result: {} }],
    ['params in a list', { jsonrpc, id: 1, method: 'm', params: [] }],
    ['_meta that is no object', { jsonrpc, id: 1, method: 'm', params: { _meta: 'a' } }],
    ['_meta that is null', { jsonrpc, id: 1, method: 'm', params: { _meta: null } }],
    ['a progress token that is no id', { jsonrpc, id: 1, method: 'm', params: { _meta: { progressToken: {} } } }],
    ['a request whose id is null', { jsonrpc, id: null, method: 'm' }],
    ['a request whose id is a fraction', { jsonrpc, id: 1.5, method: 'm' }],
    ['a request whose id is too great to be exact', { jsonrpc, id: 2 ** 53, method: 'm' }],
    ['a notification with wrong params', { jsonrpc, method: 'm', params: 1 }],
    ['neither method nor result', { jsonrpc, id: 1 }],
    ['a result without an id', { jsonrpc, result: {} }],
    ['a result whose id is null', { jsonrpc, id: null, result: {} }],
    ['a result that is no object', { jsonrpc, id: 1, result: 'done' }],
    ['an error that is no object', { jsonrpc, id: 1, error: 'no' }],
    ['an error without a code', { jsonrpc, id: 1, error: { message: 'no' } }],
    ['an error whose code is no whole number', { jsonrpc, id: 1, error: { code: 0.5, message: 'no' } }],
    ['an error without a message', { jsonrpc, id: 1, error: { code: 1 } }],
    ['an error without an id', { jsonrpc, error: { code: 1, message: 'no' } }],
  ])('takes %s for no message', (_case, value) => expect(readMessage(value)).toBeNull());
});

describe('the id in an error', () => {
  const idOf = (value: unknown) => readableId(value, { maxIdLength: 3 });

  it('is that of the message, however malformed the rest', () => {
    expect(idOf({ id: 'abc' })).toBe('abc');
    expect(idOf({ id: '', method: 1 })).toBe('');
    expect(idOf({ id: 0 })).toBe(0);
    expect(idOf({ id: -99 })).toBe(-99);
  });

  it.each<[string, unknown]>([
    ['is no object', 'a'],
    ['is null', null],
    ['has no id', {}],
    ['has no text or number as id', { id: {} }],
    ['has too long an id', { id: 'abcd' }],
    ['has too long a number as id', { id: 1_000 }],
  ])('is null when the message %s', (_case, value) => expect(idOf(value)).toBeNull());
});

describe('errorMessage', () => {
  it('has data only when the error has', () => {
    const error = { code: -32000, message: 'no' };
    expect(errorMessage('a', { httpStatus: 400, ...error })).toStrictEqual({ jsonrpc, id: 'a', error });
    const withData = { ...error, data: null };
    expect(errorMessage(null, { httpStatus: 400, ...withData })).toStrictEqual({ jsonrpc, id: null, error: withData });
  });

  it('cuts a long message', () => {
    const lengthOf = (length: number) =>
      errorMessage(1, { httpStatus: 400, code: 1, message: 'x'.repeat(length) }).error.message.length;
    expect([lengthOf(4_000), lengthOf(5_000)]).toEqual([4_000, 4_001]);
  });

  it('shows where something is missing', () => {
    expect([shortened('', 0), shortened('abc', 3), shortened('abcd', 3)]).toEqual(['', 'abc', 'abc…']);
  });
});

describe('the error for a resource that does not exist', () => {
  const error = new ResourceNotFoundError('there is no such resource', 'a:1');

  it('says so, with the URI', () => {
    expect(error).toMatchObject({ code: -32602, message: 'there is no such resource', data: { uri: 'a:1' } });
  });

  it('is distinguished from others, whatever their data say', () => {
    expect(isResourceNotFound(error)).toBe(true);
    expect(isResourceNotFound({ data: error.data })).toBe(true);
    expect(isResourceNotFound(new ProtocolError(-32602, 'no', { uri: 'a:1' }))).toBe(false);
    expect(isResourceNotFound({})).toBe(false);
  });
});
