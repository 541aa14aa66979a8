import type { JsonObject } from './json.js';

/** Returns a time as expressions see it. @param at ISO 8601 */
export function timeOf(at: string): JsonObject {
  const milliseconds = Date.parse(at);
  return { iso8601: at, epoch: { seconds: Math.floor(milliseconds / 1000), milliseconds } };
}
