import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { TASKS_EXTENSION } from '#mcp-http';

const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';

/** Returns what the client of a request can do: sessions say it once, requests of 2026-07-28 each for itself. */
function capabilitiesOf(ctx: ServerContext, server: Server): ClientCapabilities | undefined {
  return ctx.sessionId === undefined ? declaredIn(ctx) : server.getClientCapabilities();
}

/** Returns whether the client can show a form to a person. */
export function canAsk(ctx: ServerContext, server: Server): boolean {
  const elicitation = capabilitiesOf(ctx, server)?.elicitation;
  if (!elicitation) return false;
  // A client that names no kind of question means forms (specification 2026-07-28, client/elicitation, "Capabilities").
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Returns whether the client declared in this request that it can follow tasks. There are none in sessions. */
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
