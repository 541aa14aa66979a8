import type { Malform } from './malformed-bodies.js';
import { mutate } from './mutate-json.js';
import type { Random } from './random.js';
import {
  ENVELOPE,
  type Headers,
  http,
  type Json,
  plainHeaders,
  type Surroundings,
  utf8,
  withValueAt,
} from './request-parts.js';
import { CALLS_2025, CALLS_2026, NOTIFICATIONS, type ValidCall } from './valid-messages.js';

const HOLE = 'what is mutated goes here';

/** Valid messages of every kind, each with a structural error, in a valid HTTP request. */
export const mutatedMessages: readonly Malform[] = [
  function mutated2025(random, around) {
    const [method, params] = oneOf(random, random.chance(0.05) ? NOTIFICATIONS : CALLS_2025);
    const message = { jsonrpc: '2.0', ...idOf(random, method), method, params };
    const session = ['Mcp-Session-Id', random.pick(around.sessionIds)] as const;
    const headers: Headers = [
      ...headersFor(random, around),
      ['MCP-Protocol-Version', '2025-11-25'],
      ...(method === 'initialize' ? [] : [session]),
    ];
    const kind = `mutated ${method} of 2025`;
    return { kind, bytes: http({ headers, body: mutatedText(random, message) }), staysOpen: false };
  },

  function mutated2026(random, around) {
    const [method, params] = oneOf(random, CALLS_2026);
    const message = { jsonrpc: '2.0', ...idOf(random, method), method, params: { ...params, _meta: ENVELOPE } };
    const { name, uri } = params as { name?: string; uri?: string };
    const headers: Headers = [
      ...headersFor(random, around),
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', method],
      ...(name === undefined && uri === undefined ? [] : [['Mcp-Name', name ?? uri ?? ''] as const]),
    ];
    const kind = `mutated ${method} of 2026`;
    // The name in the header follows the mutated body where it can still be parsed.
    const body = mutatedText(random, message);
    return { kind, bytes: http({ headers: withNameOf(body, headers), body }), staysOpen: /listen/.test(body) };
  },

  function mutatedBatch(random, around) {
    const batch = Array.from({ length: random.integer(1, 12) }, () => {
      const [method, params] = oneOf(random, CALLS_2025);
      return { jsonrpc: '2.0', ...idOf(random, method), method, params };
    });
    const headers: Headers = [...headersFor(random, around), ['Mcp-Session-Id', around.batchSessionId]];
    const at = random.integer(0, batch.length);
    const texts = batch.map((message, index) =>
      index === at ? mutatedText(random, message) : utf8(JSON.stringify(message)),
    );
    return { kind: 'mutated batch', bytes: http({ headers, body: `[${texts.join(',')}]` }), staysOpen: false };
  },
];

/** Mostly mutates the arguments: such messages get furthest. */
function mutatedText(random: Random, message: Json): string {
  const path = random.pick([['params', 'arguments'], ['params', 'arguments'], ['params'], []]);
  const part = path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], message);
  if (part === undefined || path.length === 0) return utf8(mutate(random, message));
  const whole = JSON.stringify(withValueAt(message, path, HOLE));
  return utf8(whole.replace(`"${HOLE}"`, () => mutate(random, part)));
}

function withNameOf(body: string, headers: Headers): Headers {
  const name = nameIn(body);
  if (name === null || !headers.some(([header]) => header === 'Mcp-Name')) return headers;
  const value = `=?base64?${Buffer.from(name).toString('base64')}?=`;
  return headers.map(([header, old]) => [header, header === 'Mcp-Name' && name.length < 5_000 ? value : old] as const);
}

function nameIn(body: string): string | null {
  try {
    const { params } = JSON.parse(Buffer.from(body, 'latin1').toString()) as {
      params?: { name?: unknown; uri?: unknown };
    };
    const name = params?.name ?? params?.uri;
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

function headersFor(random: Random, around: Surroundings): Headers {
  const accept = random.pick(['application/json, text/event-stream', 'application/json', 'text/event-stream']);
  return plainHeaders(around).map(([name, value]) => [name, name === 'Accept' ? accept : value] as const);
}

const idOf = (random: Random, method: string): Json =>
  method.startsWith('notifications/')
    ? {}
    : { id: random.chance(0.7) ? random.integer(1, 1e9) : `id-${random.integer(1, 1e9)}` };

function oneOf(random: Random, calls: readonly ValidCall[]): ValidCall {
  const chosen = calls[random.integer(0, calls.length)];
  if (!chosen) throw new Error('there is nothing to choose from');
  return chosen;
}
