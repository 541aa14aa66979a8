import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  type Result,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import { ErrorCode, type ResourceSubscriptions, TASKS_EXTENSION } from '#mcp-http';
import { toProtocolError } from './mcp.errors.js';

/** One capability of the MCP server: the request handlers that belong to it. All servers share them. */
export interface Capability {
  readonly handlers: readonly RequestHandler[];
}

export interface RequestHandler {
  readonly method: string;
  /** The era of the method; null = both. */
  readonly era: Era | null;
  register(served: Served): void;
}

type Era = 'sessions' | 'stateless';

/** The server that handles requests: that of a session, or the one of 2026-07-28, which has no resource subscriptions. */
export interface Served {
  readonly server: Server;
  readonly subscriptions: ResourceSubscriptions | null;
}

export const eraOf = ({ subscriptions }: Served): Era => (subscriptions === null ? 'stateless' : 'sessions');

const logger = new Logger('Mcp');

/** Returns a request handler. Its params are validated against `schema`; errors become JSON-RPC errors. */
export function handler<Params extends StandardSchemaV1>(
  method: string,
  schema: Params,
  handle: (params: StandardSchemaV1.InferOutput<Params>, ctx: ServerContext, served: Served) => Promise<object>,
  era: Era | null = null,
): RequestHandler {
  const schemas = { params: schema };
  const register = (served: Served) =>
    served.server.setRequestHandler(method, schemas, async (params, ctx) => {
      try {
        return (await handle(params, ctx, served)) as Result;
      } catch (error) {
        throw toProtocolError(error, (bug) => logger.error({ err: bug, method }, 'A request handler failed'));
      }
    });
  return { method, era, register };
}

/** Returns a schema that checks nothing, for methods whose params the SDK has checked already. */
export function trusted<T>(): StandardSchemaV1<T, T> {
  return { '~standard': { version: 1, vendor: 'agent-service', validate: (value) => ({ value: value as T }) } };
}

/** Entries per page of a list. Large, because some clients never request a second page. */
export const PAGE_SIZE = 1_000;

/**
 * Returns one page of a list. Its cursor is the number of entries before it, in Base64. @throws ProtocolError for an invalid
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

const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';

/** Returns the capabilities of the client: declared once per session, or in each request of 2026-07-28. */
function capabilitiesOf(ctx: ServerContext, server: Server): ClientCapabilities | undefined {
  return ctx.sessionId === undefined ? declaredIn(ctx) : server.getClientCapabilities();
}

/** Returns whether the client can show a form to a person. */
export const canAsk = (ctx: ServerContext, server: Server): boolean => showsForms(capabilitiesOf(ctx, server));

/** Returns whether a client with these capabilities can show a form to a person. */
export function showsForms({ elicitation }: ClientCapabilities = {}): boolean {
  if (!elicitation) return false;
  // A client that names no mode supports forms (specification 2026-07-28, client/elicitation, "Capabilities").
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Returns whether the client declared in this request that it can follow tasks. Sessions have no tasks. */
export function followsTasks(ctx: ServerContext): boolean {
  return ctx.sessionId === undefined && declaredIn(ctx)?.extensions?.[TASKS_EXTENSION] !== undefined;
}

/** Returns whether the client shows views of tools inside conversations (MCP Apps). */
export function showsViews(ctx: ServerContext, server: Server): boolean {
  return capabilitiesOf(ctx, server)?.extensions?.[VIEWS_EXTENSION] !== undefined;
}

function declaredIn({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}
