import type { Malform } from './malformed-bodies.js';
import type { Random } from './random.js';
import { good2025, good2026, goodRequest, type Headers, http, json, plainHeaders } from './request-parts.js';

/** Requests that are invalid HTTP, or have wrong headers. */
export const malformedHttp: readonly Malform[] = [
  function badHeaders(random, around) {
    const { headers, message } = goodRequest(random, around);
    const bad = random.pick<readonly [string, string]>([
      ['Accept', random.pick(['', 'text/html', '*/*', 'application/json;q=0', 'x'.repeat(5_000)])],
      [
        'Authorization',
        random.pick([
          '',
          'Bearer',
          'Bearer ',
          'Basic YTpi',
          `Bearer ${'k'.repeat(9_000)}`,
          'Bearer wrong key',
          'bearer  x',
        ]),
      ],
      ['Origin', random.pick(['http://evil.example.com', 'null', '://', 'http://127.0.0.1.evil.example.com', ''])],
      ['Host', random.pick(['evil.example.com', '', '[::', 'a b', `localhost:99999`])],
      ['Mcp-Session-Id', random.pick(['', 'x', "' OR 1=1 --", '../../x', 'x'.repeat(9_000), '\xff\xfe', '__proto__'])],
      [
        'Last-Event-ID',
        random.pick(['', '-1', 'x', '99999999999999999999', "';--", random.garbage(20).replaceAll(/[\r\n\0]/g, '')]),
      ],
      ['X-Padding', 'x'.repeat(random.integer(10_000, 40_000))],
      ['Bad Name', 'x'],
      ['X-Control', `a${String.fromCharCode(random.integer(0, 32))}b`],
      ['Expect', random.pick(['100-continue', '200-ok'])],
      ['Upgrade', 'websocket'],
      ['Connection', random.pick(['close', 'upgrade', 'keep-alive, content-length'])],
    ]);
    const others = random.chance(0.7) ? headers.filter(([name]) => name !== bad[0]) : headers;
    return { kind: `bad header ${bad[0]}`, bytes: http({ headers: [...others, bad], body: json(message) }) };
  },

  function missingHeaders(random, around) {
    const { headers, message } = goodRequest(random, around);
    const kept = headers.filter(() => random.chance(0.6));
    return { kind: 'missing headers', bytes: http({ headers: kept, body: json(message) }) };
  },

  function wrongMethod(random, around) {
    const { headers, message } = goodRequest(random, around);
    const method = random.pick([
      'PUT',
      'PATCH',
      'OPTIONS',
      'HEAD',
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'QUERY',
      'FOO',
      'post',
      'P\xd6ST',
      '',
    ]);
    const path = random.pick([
      '/mcp',
      '/mcp/',
      '/mcp?x=%ff',
      '/mcp/unknown',
      '/MCP',
      '/mcp%00',
      '/mcp/%2e%2e',
      '//mcp',
      '*',
    ]);
    const body = random.chance(0.5) ? json(message) : '';
    return {
      kind: `method ${method}`,
      bytes: http({ method, path, headers, body }),
      isHead: method === 'HEAD',
      endsInput: true,
    };
  },

  function strangePath(random, around) {
    const { headers, message } = goodRequest(random, around);
    const path = random.pick([
      '/mcp/',
      '/mcp?key=x',
      '/mcp/..',
      '/mcp/%2e%2e/mcp',
      '/mcp%ff',
      '/mcp/%',
      '/mcp#x',
      '/mcp/a/b/c',
      `/mcp?${'x'.repeat(9_000)}`,
      '/mcp;a=b',
      '/%6dcp',
    ]);
    return { kind: `path ${path.slice(0, 20)}`, bytes: http({ path, headers, body: json(message) }) };
  },

  function halfOpen(random, around) {
    const { headers, message } = goodRequest(random, around);
    const whole = http({ headers, body: json(message) });
    const bytes = whole.slice(0, random.integer(1, whole.length - 1));
    return { kind: 'half-open connection', bytes, unfinished: true, endsInput: random.chance(0.5) };
  },

  function badContentLength(random, around) {
    const { headers, message } = goodRequest(random, around);
    const body = json(message);
    const lengths = random.pick<Headers>([
      [['Content-Length', '-1']],
      [['Content-Length', 'many']],
      [['Content-Length', '0x10']],
      [['Content-Length', '1e3']],
      [['Content-Length', '99999999999999999999999']],
      [
        ['Content-Length', String(body.length)],
        ['Content-Length', '3'],
      ],
      [['Content-Length', '5, 5']],
      [
        ['Content-Length', String(body.length)],
        ['Transfer-Encoding', 'chunked'],
      ],
      [['Transfer-Encoding', 'gzip']],
      [['Transfer-Encoding', 'chunked, identity']],
      [['Content-Length', '']],
    ]);
    return { kind: 'bad Content-Length', bytes: http({ headers: [...headers, ...lengths], body }), endsInput: true };
  },

  function lengthTooShort(random, around) {
    const { headers, message } = goodRequest(random, around);
    const body = json(message);
    const length = String(random.integer(0, body.length));
    return {
      kind: 'Content-Length too short',
      bytes: http({ headers: [...headers, ['Content-Length', length]], body }),
    };
  },

  function badChunks(random, around) {
    const { headers, message } = goodRequest(random, around);
    const body = json(message);
    const chunks = random.pick([
      `${body.length.toString(16)}\r\n${body}\r\n`,
      `zz\r\n${body}\r\n0\r\n\r\n`,
      `-5\r\n${body}\r\n0\r\n\r\n`,
      `${(body.length + 5).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      `ffffffffffffffffff\r\n${body}`,
      `${body.length.toString(16)};${'x'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`,
      `${body.length.toString(16)}\r\n${body}\r\n0\r\nBad Trailer\r\n\r\n`,
    ]);
    return {
      kind: 'bad chunks',
      bytes: http({ headers: [...headers, ['Transfer-Encoding', 'chunked']], body: chunks }),
      unfinished: true,
    };
  },

  function pipelined(random, around) {
    const answers = random.integer(2, 6);
    const one = () => {
      const { headers, message } = goodRequest(random, around);
      const body = random.chance(0.5) ? json(message) : json(message).slice(0, -1);
      return http({ headers, body });
    };
    return { kind: 'pipelined', bytes: Array.from({ length: answers }, one).join(''), answers };
  },

  function notHttp(random) {
    const bytes = random.pick([
      random.garbage(random.integer(1, 300)),
      'GET /mcp\r\n\r\n',
      'GET /mcp HTTP/9.9\r\n\r\n',
      'POST /mcp HTTP/1.1\nHost: x\n\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\r\n\r\n\r\n',
      `POST /${'x'.repeat(70_000)} HTTP/1.1\r\n\r\n`,
    ]);
    return { kind: 'not HTTP', bytes, unfinished: true, endsInput: random.chance(0.5) };
  },

  function wrongEraHeaders(random, around) {
    const { headers, message } = random.chance(0.6) ? good2026(random, around) : good2025(random, around);
    const [name, value] = random.pick<readonly [string, string]>([
      [
        'MCP-Protocol-Version',
        random.pick(['2026-07-28', '2025-11-25', '2024-11-05', '1900-01-01', '', 'x', '2026-07-28, 2025-11-25']),
      ],
      ['Mcp-Method', random.pick(['tools/list', 'TOOLS/CALL', '', 'initialize', '\xff'])],
      ['Mcp-Name', random.pick(['other', '', '=?base64?!!!?=', '=?base64?AAAA', 'x'.repeat(5_000)])],
      ['Mcp-Session-Id', random.pick([...around.sessionIds, 'unknown'])],
      ['Mcp-Param-Region', random.pick(['x', '=?base64?%%%?=', ''])],
    ]);
    const others = random.chance(0.7) ? headers.filter((header) => header[0] !== name) : headers;
    return { kind: 'wrong era headers', bytes: http({ headers: [...others, [name, value]], body: json(message) }) };
  },

  function wrongEraBody(random, around) {
    const modern = good2026(random, around);
    const legacy = good2025(random, around);
    const [headers, message] = random.pick([
      [modern.headers, legacy.message],
      [legacy.headers, modern.message],
      [
        modern.headers,
        {
          ...modern.message,
          method: random.pick([
            'initialize',
            'ping',
            'logging/setLevel',
            'resources/subscribe',
            'subscriptions/listen',
          ]),
        },
      ],
      [
        legacy.headers,
        { ...legacy.message, method: random.pick(['server/discover', 'subscriptions/listen', 'tasks/get']) },
      ],
    ] as const);
    return { kind: 'wrong era body', bytes: http({ headers, body: json(message) }) };
  },

  function unknownSession(random, around) {
    const headers: Headers = [
      ...plainHeaders(around),
      ['MCP-Protocol-Version', '2025-11-25'],
      ['Mcp-Session-Id', unknownId(random)],
    ];
    const method = random.pick(['POST', 'GET', 'DELETE']);
    const body = method === 'POST' ? json(good2025(random, around).message) : '';
    return { kind: `unknown session, ${method}`, bytes: http({ method, headers, body }) };
  },

  function streamRequests(random, around) {
    const resume: Headers = random.chance(0.5)
      ? [['Last-Event-ID', random.pick(['x', '0', '1_0', unknownId(random)])]]
      : [];
    const accept: Headers = random.chance(0.5)
      ? [['Accept', random.pick(['application/json', '', 'text/event-stream'])]]
      : [];
    const headers = good2025(random, around).headers.filter(
      ([name]) => name !== 'Content-Type' && (name !== 'Accept' || accept.length === 0),
    );
    return { kind: 'stream requests', bytes: http({ method: 'GET', headers: [...headers, ...accept, ...resume] }) };
  },
];

function unknownId(random: Random): string {
  return random.pick([
    `${random.integer(0, 1e9)}`,
    '00000000-0000-4000-8000-000000000000',
    'x'.repeat(random.integer(1, 3_000)),
    "1' OR '1'='1",
  ]);
}
