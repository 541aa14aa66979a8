import type { JsonObject } from './content.js';

/** Returns a copy that shares nothing with the original; of data as it comes from JSON, several times as fast as `structuredClone`. */
export function copyJson<Value extends JsonObject>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const copied: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') Object.defineProperty(copied, key, { ...PLAIN, value: copy(member) });
    else copied[key] = copy(member);
  }
  return copied;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };
