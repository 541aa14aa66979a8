import type { Server } from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';

const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 2_000;

/** Returns what is wrong with an envelope; undefined when nothing is. */
export type EnvelopeCheck = (material: { envelope?: unknown }) => string | undefined;

const UNCHECKED: EnvelopeCheck = () => undefined;

/**
 * Makes the SDK's server validate each distinct envelope (`_meta` of 2026-07-28) only once: programs send the same one with each
 * request, and the schema costs more than the rest of the dispatch. Does nothing when this SDK release has no such check.
 * @returns the check, for requests that do not reach the SDK's server
 */
export function checkEnvelopesOnce(server: Server): EnvelopeCheck {
  const codecOf: unknown = Reflect.get(server, '_negotiatedWireCodec');
  if (typeof codecOf !== 'function') return UNCHECKED;
  const codec: unknown = Reflect.apply(codecOf, server, []);
  if (!isObject(codec) || typeof codec['checkInboundEnvelope'] !== 'function') return UNCHECKED;
  const checkInboundEnvelope = remembering(codec['checkInboundEnvelope'] as EnvelopeCheck);
  const lean = { ...codec, checkInboundEnvelope };
  Reflect.set(server, '_negotiatedWireCodec', () => lean);
  return checkInboundEnvelope;
}

/** Wraps a check with a cache of the envelopes that passed. */
export function remembering(check: EnvelopeCheck): EnvelopeCheck {
  const known = new Set<string>(); // oldest first
  return (material) => {
    const text = JSON.stringify(material.envelope) ?? '';
    if (known.has(text)) return undefined;
    const problem = check(material);
    if (problem !== undefined || text.length > LONGEST_KNOWN) return problem;
    known.add(text);
    const [oldest] = known;
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return undefined;
  };
}
