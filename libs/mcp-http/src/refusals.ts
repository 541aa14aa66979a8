import type { EndpointLimits } from './endpoint-limits.js';
import { ErrorCode, type WireError } from './json-rpc.js';
import type { QuotaLimits } from './quota.js';

/** What a client does when it is told to come back: soon for what passes by itself, later for what someone must close. */
export const RETRY_SOON = { 'Retry-After': '1' };
export const RETRY_LATER = { 'Retry-After': '30' };

export const refused = (httpStatus: number, message: string, code: number = ErrorCode.refused): WireError => ({
  httpStatus,
  code,
  message,
});

/** One kind of what is limited for each key and in all, and the two settings that do it. */
interface Limited {
  /** Such as "calls at once". */
  what: string;
  setting: string;
  advice: string;
}

export const CALLS: Limited = {
  what: 'calls at once',
  setting: 'mcp.max_calls',
  advice: 'wait for some to end, then try again',
};
export const STREAMS: Limited = {
  what: 'open streams',
  setting: 'mcp.max_streams',
  advice: 'close some, or try again later',
};
export const SESSIONS: Limited = {
  what: 'sessions',
  setting: 'mcp.max_sessions',
  advice: 'end those that nobody needs (DELETE), or try again later',
};

export function tooMany(
  { what, setting, advice }: Limited,
  exceeded: keyof QuotaLimits,
  limits: QuotaLimits,
): WireError {
  const scope =
    exceeded === 'perClient'
      ? `this key may have ${limits.perClient} (setting ${setting}_per_key)`
      : `the service takes ${limits.inAll} (setting ${setting})`;
  return refused(503, `Too many ${what}: ${scope}: ${advice}`);
}

/** What is wrong with watching so many URIs; null when it is allowed. */
export function subscriptionsProblem(
  { count, bytes }: { count: number; bytes: number },
  { maxSubscriptions, maxSubscriptionBytes }: EndpointLimits,
): string | null {
  if (count > maxSubscriptions) {
    return `Too many subscriptions: one session or stream may watch ${maxSubscriptions} (setting mcp.max_subscriptions)`;
  }
  if (bytes <= maxSubscriptionBytes) return null;
  const limit = `${maxSubscriptionBytes} characters together (setting mcp.max_subscription_bytes)`;
  return `Too many subscriptions: the URIs that one session or stream watches may have ${limit}`;
}

export const tooLarge = (maxBytes: number): WireError =>
  refused(413, `Request body too large: the limit is ${maxBytes} bytes (setting mcp.max_body_bytes)`);

export const tooDeep = (maxDepth: number): WireError =>
  refused(
    400,
    `Invalid request: the body is nested deeper than ${maxDepth} levels (setting mcp.max_json_depth)`,
    ErrorCode.invalidRequest,
  );

export const noRoom = (maxBytes: number): WireError =>
  refused(
    503,
    `Too many large requests at once: their bodies may hold ${maxBytes} bytes together (setting mcp.max_incoming_bytes). Try again in a moment`,
  );

export const batchTooLong = (entries: number, most: number): WireError =>
  refused(
    400,
    `Invalid request: a batch of ${entries} messages, the limit is ${most} (setting mcp.max_batch_entries)`,
    ErrorCode.invalidRequest,
  );

export const initializeTooLarge = (bytes: number, most: number): WireError =>
  refused(413, `initialize is too large: ${bytes} bytes, the limit is ${most} (setting mcp.max_initialize_bytes)`);
