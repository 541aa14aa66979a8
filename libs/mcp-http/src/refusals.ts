import type { EndpointLimits } from './endpoint-options.js';
import { ErrorCode, type WireError } from './json-rpc.js';

/** For conditions that pass quickly. */
export const RETRY_SOON = { 'Retry-After': '1' };
/** For conditions that last until a client closes something. */
export const RETRY_LATER = { 'Retry-After': '30' };

export const refused = (httpStatus: number, message: string, code: number = ErrorCode.refused): WireError => ({
  httpStatus,
  code,
  message,
});

/** Returns why this many URIs and tasks cannot be watched; null when they can. */
export function subscriptionsProblem(
  { count, bytes }: { count: number; bytes: number },
  { maxSubscriptions, maxSubscriptionBytes }: EndpointLimits,
): string | null {
  if (count > maxSubscriptions) {
    const limit = `${maxSubscriptions} resources and tasks`;
    return `Too many subscriptions: one session or stream may watch ${limit}. Unsubscribe from some first`;
  }
  if (bytes <= maxSubscriptionBytes) return null;
  const limit = `${maxSubscriptionBytes} characters together`;
  return `Too many subscriptions: the URIs and task ids that one session or stream watches may have ${limit}. Unsubscribe from some first`;
}

export const tooLarge = (maxBytes: number): WireError =>
  refused(
    413,
    `Request body too large: the limit is ${maxBytes} bytes (setting mcp.max_body_bytes). Send less in one request`,
  );

export const tooDeep = (maxDepth: number): WireError =>
  refused(
    400,
    `Invalid request: the body is nested deeper than ${maxDepth} levels. Send flatter JSON`,
    ErrorCode.invalidRequest,
  );

export const tooManyValues = (maxValues: number): WireError =>
  refused(
    400,
    `Invalid request: the body holds more than ${maxValues} values. Send fewer, or join them in texts`,
    ErrorCode.invalidRequest,
  );

export const noRoom = (maxBytes: number): WireError =>
  refused(
    503,
    `Too many large requests at once: their bodies may hold ${maxBytes} bytes together. Try again in a moment`,
  );

export const batchTooLong = (entries: number, most: number): WireError =>
  refused(
    400,
    `Invalid request: the batch has ${entries} messages, the limit is ${most}. Send smaller batches`,
    ErrorCode.invalidRequest,
  );

export const initializeTooLarge = (bytes: number, most: number): WireError =>
  refused(413, `initialize is too large: it has ${bytes} bytes, the limit is ${most}. Send shorter params`);

export const KEY_REVOKED = refused(401, 'The API key of this call is no longer valid');

export const SESSION_UNKNOWN = refused(
  404,
  'Session not found: it has ended. Send initialize again',
  ErrorCode.sessionNotFound,
);

export const NOT_JSON_RPC = refused(
  400,
  'Invalid request: the body is not a JSON-RPC 2.0 message',
  ErrorCode.invalidRequest,
);
export const SERVICE_STOPPING = refused(503, 'The service is stopping: try again in a moment');

/** What a client should know before it calls again. */
export const PARTLY_DONE =
  'It may be partly done, and a run that it started goes on: look for it before you call again';

// The errors of calls that end before their work does.
export const SESSION_ENDED = refused(
  404,
  'The session of this call has ended, and the call was stopped and may be partly done. Send initialize again',
  ErrorCode.sessionNotFound,
);
export const SERVICE_STOPPED = refused(503, `The service was stopped while this call was running. ${PARTLY_DONE}`);
export const CALL_NOT_RESUMED = refused(
  200,
  `The connection broke and was not resumed in time, so this call was stopped. ${PARTLY_DONE}`,
);
export const CALL_CANCELLED = refused(200, 'This request was cancelled');
export const CALL_FAILED = refused(200, 'Internal error: the answer could not be sent', ErrorCode.internalError);

/** The state of the stream is unknown at the moment. */
export const RESUME_LATER = refused(503, 'The stream cannot be read at the moment. Try again in a moment');

export const TOO_MUCH_UNREAD = refused(503, 'Too many answers wait until clients read them. Try again in a moment');

/** The extension by which a call may continue as a task that its client follows (modelcontextprotocol/ext-tasks, 2026-07-28). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The error data for a client that has not declared the extension. */
export const TASKS_REQUIRED = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } };

/** Returns the refusal of a feature that requires the Tasks extension, for a client that has not declared it. */
export const tasksNotDeclared = (what: string): WireError => ({
  httpStatus: 400,
  code: ErrorCode.missingCapability,
  message: `${what} takes a client that declares the extension ${TASKS_EXTENSION}: send it in the capabilities of the request`,
  data: TASKS_REQUIRED,
});
