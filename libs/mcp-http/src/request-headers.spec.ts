import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { ErrorCode } from './json-rpc.js';
import {
  acceptsOf,
  headerOf,
  headerParametersOf,
  parameterHeaderProblem,
  standardHeaderProblem,
} from './request-headers.js';
import { requestWith } from './received.testing.js';

const refusalThat = (detail: string) => ({
  httpStatus: 400,
  code: ErrorCode.headerMismatch,
  message: `Headers and body disagree: ${detail}. Send each header with the value that the body has.`,
});

describe('the value of a header', () => {
  it('is the text that was sent, the first of several, or nothing', () => {
    const req = requestWith({ one: 'a', several: ['b', 'c'] });
    expect(['one', 'several', 'none'].map((name) => headerOf(req, name))).toEqual(['a', 'b', undefined]);
  });
});

describe('the forms of a response that a caller can read', () => {
  it.each([
    [undefined, true, true],
    ['*/*', true, true],
    ['application/json, */*;q=0.1', true, true],
    ['application/json, text/event-stream', true, true],
    ['application/json', true, false],
    ['application/*', true, false],
    ['text/event-stream', false, true],
    ['text/*', false, true],
    ['image/png', true, true],
    ['', true, true],
  ])('with Accept %j: json %j, sse %j', (header, json, sse) => {
    expect(acceptsOf(header)).toEqual({ json, sse });
  });
});

describe('the standard headers of a request', () => {
  const standard = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'any' };
  const asked = (method: string, params?: Record<string, unknown>): JSONRPCRequest => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    ...(params && { params }),
  });

  it.each([
    [{}, 'MCP-Protocol-Version'],
    [{ 'mcp-method': 'any' }, 'MCP-Protocol-Version'],
    [{ 'mcp-protocol-version': '2026-07-28' }, 'Mcp-Method'],
  ])('of %j lack one', (headers, missing) => {
    expect(standardHeaderProblem(requestWith(headers), asked('tools/list'))).toEqual(
      refusalThat(`the required header ${missing} is missing`),
    );
  });

  it.each([
    ['tools/call', 'name'],
    ['prompts/get', 'name'],
    ['resources/read', 'uri'],
    ['tasks/get', 'taskId'],
    ['tasks/update', 'taskId'],
    ['tasks/cancel', 'taskId'],
  ])('of %s repeat params.%s', (method, member) => {
    const request = asked(method, { [member]: 'this' });
    const problemWith = (headers: object) => standardHeaderProblem(requestWith({ ...standard, ...headers }), request);
    expect(problemWith({ 'mcp-name': 'this' })).toBeNull();
    expect(problemWith({})).toEqual(refusalThat('the required header Mcp-Name is missing'));
    expect(problemWith({ 'mcp-name': 'other' })).toEqual(
      refusalThat(`Mcp-Name is "other", but params.${member} is "this"`),
    );
  });

  it('quote no name for other methods, nor one that is not text, which is rejected later', () => {
    const req = requestWith(standard);
    expect(standardHeaderProblem(req, asked('tools/list', { name: 'this' }))).toBeNull();
    expect(standardHeaderProblem(req, asked('tools/call', { name: 7 }))).toBeNull();
    expect(standardHeaderProblem(req, asked('tools/call'))).toBeNull();
  });
});

describe('the parameters that a tool wants repeated in headers', () => {
  it('are found at any depth of its schema, each with where its value is', () => {
    const schema = {
      type: 'object',
      'x-mcp-header': 'Root',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        plain: { type: 'string' },
        place: {
          type: 'object',
          'x-mcp-header': 'Place',
          properties: { city: { 'x-mcp-header': 'City' }, number: { 'x-mcp-header': 7 } },
        },
        anything: true,
      },
    };
    expect(headerParametersOf(schema)).toEqual([
      { header: 'Mcp-Param-Region', path: ['region'] },
      { header: 'Mcp-Param-Place', path: ['place'] },
      { header: 'Mcp-Param-City', path: ['place', 'city'] },
    ]);
  });

  it.each([[undefined], [null], [true], [{}], [{ properties: null }], [{ properties: [{ 'x-mcp-header': 'A' }] }]])(
    'are none in a schema like %j',
    (schema) => {
      expect(headerParametersOf(schema)).toEqual([]);
    },
  );
});

describe('the headers that repeat parameters', () => {
  const problemOf = (sent: string | undefined, value: unknown) =>
    parameterHeaderProblem(
      requestWith(sent === undefined ? {} : { 'mcp-param-city': sent }),
      { place: { city: value } },
      [{ header: 'Mcp-Param-City', path: ['place', 'city'] }],
    );
  const base64 = (bytes: string | Uint8Array) => `=?base64?${Buffer.from(bytes).toString('base64')}?=`;

  // Shows in 2026-07-28: headers.base64, headers.numeric
  it.each([
    ['Bonn', 'Bonn'],
    ['  Bonn ', 'Bonn'],
    [base64('Köln'), 'Köln'],
    [base64(' Bonn'), ' Bonn'],
    [base64('Bonn\n'), 'Bonn\n'],
    [base64('Ulm'), 'Ulm'],
    [base64(''), ''],
    ['=?base64?', '=?base64?'],
    ['x=?base64?Qm9ubg==?=', 'x=?base64?Qm9ubg==?='],
    ['=?base64?Qm9ubg==?=x', '=?base64?Qm9ubg==?=x'],
    ['7', 7],
    ['7.0', 7],
    ['-12.50', -12.5],
    ['1e+21', 1e21],
    ['true', true],
    ['false', false],
    ['7', '7'],
  ])('agree: %j has the value %j', (sent, value) => {
    expect(problemOf(sent, value)).toBeNull();
  });

  it.each([
    ['bonn', 'Bonn', '"bonn"', '"Bonn"'],
    ['7.0', '7', '"7.0"', '"7"'],
    ['8', 7, '"8"', '7'],
    ['0x7', 7, '"0x7"', '7'],
    ['x7', 7, '"x7"', '7'],
    ['7x', 7, '"7x"', '7'],
    ['7.', 7, '"7."', '7'],
    ['', 0, '""', '0'],
    ['false', true, '"false"', 'true'],
    ['1', true, '"1"', 'true'],
    [base64('Bonn'), 'Ulm', '"Bonn"', '"Ulm"'],
  ])('disagree: %j is not the value %j', (sent, value, shown, expected) => {
    expect(problemOf(sent, value)).toEqual(
      refusalThat(`Mcp-Param-City is ${shown}, but arguments.place.city is ${expected}`),
    );
  });

  // Shows in 2026-07-28: headers.parameter-malformed
  it.each([
    ['=?base64?Qm9ubg?=', 'Bonn'],
    ['=?base64?Qm9u*g==?=', 'Bonn'],
    ['=?base64?Q===?=', 'Bonn'],
    [base64(Uint8Array.of(0xff)), 'Bonn'],
    ['K\u00f6ln', 'K\u00f6ln'],
    ['\u00a0Bonn', 'Bonn'],
    ['Bo\u007fnn', 'Bo\u007fnn'],
  ])('must be ASCII, or right Base64 of UTF-8, unlike %j', (sent, value) => {
    expect(problemOf(sent, value)).toEqual(
      refusalThat('Mcp-Param-City is neither plain ASCII nor valid Base64: =?base64?<RFC 4648 with padding>?='),
    );
  });

  it('must be there for each text, number and boolean', () => {
    for (const value of ['Bonn', '', 7, 0, true, false])
      expect(problemOf(undefined, value)).toEqual(refusalThat('the required header Mcp-Param-City is missing'));
  });

  // Shows in 2026-07-28: headers.parameter-absent
  it('are not required where there is no value, or one that the schema rejects', () => {
    for (const value of [undefined, null, {}, ['Bonn']]) expect(problemOf(undefined, value)).toBeNull();
    const parameters = [{ header: 'Mcp-Param-City', path: ['place', 'city'] }];
    for (const args of [undefined, null, {}, { place: 'Bonn' }, { place: null }])
      expect(parameterHeaderProblem(requestWith({}), args, parameters)).toBeNull();
  });

  it('must not be there without a value', () => {
    for (const value of [undefined, null])
      expect(problemOf('Bonn', value)).toEqual(
        refusalThat('Mcp-Param-City is "Bonn", but arguments.place.city has no value'),
      );
    expect(problemOf('Bonn', ['Bonn'])).toBeNull();
  });

  it('are all looked at', () => {
    const parameters = ['a', 'b', 'c'].map((name) => ({ header: `Mcp-Param-${name.toUpperCase()}`, path: [name] }));
    const req = requestWith({ 'mcp-param-a': '1', 'mcp-param-c': '4' });
    expect(parameterHeaderProblem(req, { a: 1, c: 3 }, parameters)?.message).toContain(
      'Mcp-Param-C is "4", but arguments.c is 3',
    );
  });

  it('are quoted in an error only as far as needed to identify them', () => {
    const message = problemOf('y'.repeat(400), 'z'.repeat(400))?.message ?? '';
    expect(message).toContain(`is "${'y'.repeat(299)}…, but`);
    expect(message).toContain(`is "${'z'.repeat(299)}….`);
  });
});
