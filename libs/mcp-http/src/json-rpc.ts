import {
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  ProtocolError,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';

export type JsonObject = Record<string, unknown>;

/** A JSON-RPC error, with the HTTP status to send it with. */
export interface WireError {
  httpStatus: number;
  code: number;
  message: string;
  data?: unknown;
}

/** Error codes of JSON-RPC 2.0 and MCP (specification 2026-07-28, basic, "Error Codes"). */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  refused: -32000,
  sessionNotFound: -32001,
  /** Only in the 2025 era. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** The data of `ResourceNotFoundError`. The SDK passes this object through, so that the transport can recognise the error. */
class MissingResource {
  constructor(readonly uri: string) {}
}

/**
 * Thrown by a request handler when no resource has this URI. The eras have different codes for it (specification 2025-11-25 and
 * 2026-07-28, server/resources, "Error Handling").
 */
export class ResourceNotFoundError extends ProtocolError {
  constructor(message: string, uri: string) {
    super(ErrorCode.invalidParams, message, new MissingResource(uri));
  }
}

/** Returns whether an outgoing error was thrown as a `ResourceNotFoundError`. */
export function isResourceNotFound({ data }: { data?: unknown }): boolean {
  return data instanceof MissingResource;
}

export type InboundMessage =
  | { kind: 'request'; message: JSONRPCRequest }
  | { kind: 'notification'; message: JSONRPCNotification }
  | { kind: 'response'; message: JSONRPCResponse };

/**
 * Returns a JSON-RPC message with only the members that JSON-RPC 2.0 defines; null when the value is not a message. The SDK
 * accepts every message returned here: it would drop others without a response, and their sender would wait forever.
 */
export function readMessage(value: unknown): InboundMessage | null {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return null;
  const { id, method } = value;
  const params = withoutNothing(value['params']);
  if (method === undefined) return readResponse(value);
  if (typeof method !== 'string' || !areParams(params)) return null;
  const body = { jsonrpc: '2.0' as const, method, ...(params !== undefined && { params }) };
  if (!('id' in value)) return { kind: 'notification', message: body };
  return isRequestId(id) ? { kind: 'request', message: { ...body, id } } : null;
}

/** Some programs send null, or for arguments an empty list, instead of nothing: treated as absent where it can mean nothing else. */
function withoutNothing(params: unknown): unknown {
  if (params === null) return undefined;
  if (!isObject(params) || !(isNothing('arguments', params) || isNothing('cursor', params))) return params;
  return Object.fromEntries(Object.entries(params).filter(([name]) => !isNothing(name, params)));
}

function isNothing(name: string, { [name]: value }: JsonObject): boolean {
  if (name === 'arguments') return value === null || (Array.isArray(value) && value.length === 0);
  return name === 'cursor' && value === null;
}

function readResponse({ id, result, error }: JsonObject): InboundMessage | null {
  if (!isRequestId(id)) return null;
  if (isObject(result)) return { kind: 'response', message: { jsonrpc: '2.0', id, result } };
  if (!isObject(error) || !Number.isSafeInteger(error['code']) || typeof error['message'] !== 'string') return null;
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  return { kind: 'response', message: { jsonrpc: '2.0', id, error: { code, message, data } } };
}

function areParams(params: unknown): params is JsonObject | undefined {
  if (params === undefined) return true;
  if (!isObject(params)) return false;
  const meta = params['_meta'];
  if (meta === undefined) return true;
  return isObject(meta) && (meta['progressToken'] === undefined || isRequestId(meta['progressToken']));
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Returns the id for an error about a possibly malformed message; null when it has no valid id. */
export function readableId(value: unknown, { maxIdLength }: { maxIdLength: number }): RequestId | null {
  if (!isObject(value) || !isRequestId(value['id'])) return null;
  return String(value['id']).length <= maxIdLength ? value['id'] : null;
}

/** Error messages repeat the input: this length is enough to recognise it. */
const LONGEST_MESSAGE = 4_000;

export function errorMessage<Id extends RequestId | null>(id: Id, { code, message, data }: WireError) {
  const error = { code, message: shortened(message, LONGEST_MESSAGE), ...(data !== undefined && { data }) };
  return { jsonrpc: '2.0' as const, id, error };
}

export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`;
