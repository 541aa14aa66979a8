/** Returns the wait that a `Retry-After` header asks for (RFC 9110, section 10.2.3); null = none. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const at = httpTimeMs(header.slice(0, 100));
  return at === null ? null : Math.max(0, at - now.getTime());
}

// The times of HTTP are in GMT, and one of their formats does not say so.
function httpTimeMs(text: string): number | null {
  const ms = Date.parse(/gmt|utc|z\s*$|[+-]\d\d:?\d\d\s*$/i.test(text) ? text : `${text.trim()} GMT`);
  return Number.isNaN(ms) ? null : ms;
}
