import {
  ProtocolError,
  type Result,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import { ErrorCode, type ResourceSubscriptions } from '#mcp-http';
import { toProtocolError } from './mcp.errors.js';

/** One capability of the MCP server: the request handlers that belong to it. */
export interface Capability {
  /** @param subscriptions the resources that the session of this server watches; null without a session */
  register(server: Server, subscriptions: ResourceSubscriptions | null): void;
}

const logger = new Logger('Mcp');

/** Registers one request handler at a server. One registration serves any number of servers: sessions share them. */
type Registration = (server: Server) => void;

/**
 * Returns the registration of a request handler. Its params are checked against `schema`; what it throws becomes a JSON-RPC
 * error.
 */
export function handler<Params extends StandardSchemaV1>(
  method: string,
  schema: Params,
  handle: (params: StandardSchemaV1.InferOutput<Params>, ctx: ServerContext) => Promise<object>,
): Registration {
  const schemas = { params: schema };
  const guarded = async (params: StandardSchemaV1.InferOutput<Params>, ctx: ServerContext) => {
    try {
      return (await handle(params, ctx)) as Result;
    } catch (error) {
      throw toProtocolError(error, (bug) => logger.error({ err: bug, method }, 'A request handler failed'));
    }
  };
  return (server) => server.setRequestHandler(method, schemas, guarded);
}

/** Returns a schema that checks nothing, for methods whose params the SDK has checked already. */
export function trusted<T>(): StandardSchemaV1<T, T> {
  return { '~standard': { version: 1, vendor: 'agent-service', validate: (value) => ({ value: value as T }) } };
}

/** How many entries one page of a list has. It is large because some clients never ask for a second page. */
export const PAGE_SIZE = 1_000;

/**
 * Returns one page of a list. Its cursor is the number of entries before it, in Base64. @throws ProtocolError for another
 * cursor
 */
export function pageOf<T>(
  items: readonly T[],
  cursor: string | undefined,
): { page: readonly T[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  if (!Number.isInteger(start) || start < 0 || (cursor !== undefined && start === 0)) {
    throw new ProtocolError(
      ErrorCode.invalidParams,
      'Invalid cursor: pass the nextCursor of the page before, unchanged',
    );
  }
  const end = start + PAGE_SIZE;
  return {
    page: start === 0 && end >= items.length ? items : items.slice(start, end),
    ...(end < items.length && { nextCursor: Buffer.from(String(end)).toString('base64url') }),
  };
}
