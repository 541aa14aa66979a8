import type { EndpointLimits } from './endpoint-limits.js';
import { ErrorCode, type WireError } from './json-rpc.js';

/** What a client does when it is told to come back: soon for what passes by itself, later for what someone must close. */
export const RETRY_SOON = { 'Retry-After': '1' };
export const RETRY_LATER = { 'Retry-After': '30' };

export const refused = (httpStatus: number, message: string, code: number = ErrorCode.refused): WireError => ({
  httpStatus,
  code,
  message,
});

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
