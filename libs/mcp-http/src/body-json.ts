import { mayHoldUnstorable, parseBoundedJson, valueCountOf } from '#bounded-json';
import type { EndpointLimits } from './endpoint-options.js';

export interface JsonBody {
  value: unknown;
  bytes: number;
  /** True when every string in it has only characters that databases store. */
  isStorable: boolean;
}

export type ParsedBody = JsonBody | { problem: 'too_deep' | 'too_many_values' | 'not_json' };

export type JsonLimits = Pick<EndpointLimits, 'maxJsonDepth' | 'maxJsonValues'>;

export function parsedBody(chunks: readonly Uint8Array[], { maxJsonDepth, maxJsonValues }: JsonLimits): ParsedBody {
  const [first] = chunks;
  if (!first) return { problem: 'not_json' };
  const bytes = chunks.length === 1 ? asBuffer(first) : Buffer.concat(chunks);
  if (valueCountOf(bytes, maxJsonValues) > maxJsonValues) return { problem: 'too_many_values' };
  const json = parseBoundedJson(bytes, maxJsonDepth);
  if ('problem' in json) return json;
  return { value: json.value, bytes: bytes.byteLength, isStorable: !mayHoldUnstorable(bytes) };
}

/** Buffers from another thread arrive as plain Uint8Arrays. */
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
