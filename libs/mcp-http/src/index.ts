// Streamable HTTP for the MCP SDK on Node's own request and response. Each line is public API.
export type { ChangeEvent, ListChanged, LoggedChange } from './change.js';
export { type Caller, callerOf, type Revocation, type OpenStream, type Program, type RequestSource } from './caller.js';
export {
  type ClientQuota,
  type EndpointLimits,
  type EndpointOptions,
  type EndpointProtocol,
  type EndpointTiming,
  FIXED_LIMITS,
  type ResourceSubscriptions,
  type TaskSource,
} from './endpoint-options.js';
export type { ClientMessage, Relay, RelayedNews } from './relay.js';
export { sendEmpty, sendError } from './responses.js';
export { CANCELLED_BY_CLIENT } from './exchange-transport.js';
export { ErrorCode, ResourceNotFoundError, type WireError } from './json-rpc.js';
export { type EndpointCounts, McpEndpoint } from './mcp-endpoint.js';
export { memoryStorage } from './memory-storage.js';
export { type ExceededLimit, LIMITED } from './exceeded-limit.js';
export { type HeaderParameter, headerParametersOf, isHostAllowed, isLoopbackHost } from './request-headers.js';
export { TASKS_EXTENSION, TASKS_REQUIRED } from './refusals.js';
export {
  type ChangeLog,
  type Changes,
  type ClaimBasis,
  type EndpointStorage,
  type JournaledStream,
  type SessionRecord,
  type SessionStorage,
  type StreamJournal,
  type StreamOrigin,
  type SubscriptionsChange,
  type Delivered,
  unusedSince,
} from './storage.js';
