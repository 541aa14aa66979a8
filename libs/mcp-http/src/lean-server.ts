import {
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';
import { ErrorCode } from './json-rpc.js';

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/**
 * The SDK's protocol server, but it validates `tools/call` requests and results by schema only when they are not trivially valid.
 * Nearly all are, and the schemas cost more than the rest of the dispatch.
 */
export class LeanServer extends Server {
  /** Returns the instructions for the sender of `initialize` or `server/discover`; null = all get the same. */
  instructionsFor: ((ctx: ServerContext) => string | undefined) | null = null;

  /** Registers handlers when their methods are first called. */
  registerLate(register: (method: string) => void): void {
    this.fallbackRequestHandler = async (request, ctx) => {
      register(request.method);
      const handler = this._getRequestHandler(request.method);
      if (!handler) throw new ProtocolError(ErrorCode.methodNotFound, 'Method not found');
      return handler(request, ctx);
    };
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = super._wrapHandler(method, handler);
    if (method === 'initialize' || method === 'server/discover') {
      return async (request, ctx) => {
        try {
          const result = await checked(request, ctx);
          const instructions = this.instructionsFor?.(ctx);
          return instructions === undefined ? result : { ...result, instructions };
        } catch (error) {
          throw invalidParams(method, error);
        }
      };
    }
    if (method !== 'tools/call') return checked;
    return async (request, ctx) => {
      if (!isPlainCall(request) || ctx.mcpReq.requestState() !== undefined)
        return checked(request, ctx).catch((error: unknown) => {
          throw invalidParams(method, error, 'Invalid tools/call request: ');
        });
      let result: Result | null = await handler(request, ctx);
      if (isPlainResult(result)) return result;
      // In a session, the SDK calls the handler again with the elicited answers.
      const resumed: Handler = async (next, nextCtx) => {
        const first = result;
        result = null;
        return first ?? handler(next, nextCtx);
      };
      return super._wrapHandler(method, resumed)(request, ctx);
    };
  }
}

/** Converts the SDK's error for wrong params, whose message is JSON after a prefix, to one that names the members. */
function invalidParams(method: string, error: unknown, prefix = ''): unknown {
  if (!(error instanceof Error && error.message.startsWith(`${prefix}[\n`))) return error;
  const issues = JSON.parse(error.message.slice(prefix.length)) as { path: readonly string[]; message: string }[];
  const problems = issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
  return new ProtocolError(ErrorCode.invalidParams, `Invalid params for ${method}: ${problems.join(', ')}`);
}

/** Returns true when the schema of calls would certainly accept the request unchanged. */
function isPlainCall({ params }: JSONRPCRequest): boolean {
  if (!params) return false;
  for (const key in params) {
    if (key !== 'name' && key !== 'arguments' && key !== '_meta') return false;
  }
  const { name, arguments: args, _meta } = params;
  return (
    typeof name === 'string' && (args === undefined || isObject(args)) && (_meta === undefined || hasOnlyToken(_meta))
  );
}

function hasOnlyToken(meta: unknown): boolean {
  if (!isObject(meta)) return false;
  for (const key in meta) {
    const token = meta[key];
    if (key !== 'progressToken' || (typeof token !== 'string' && !Number.isSafeInteger(token))) return false;
  }
  return true;
}

/**
 * Returns true when the schema of results would certainly accept the result unchanged: text content, and at most structured
 * content.
 */
function isPlainResult(result: Result): boolean {
  for (const key in result) {
    if (key !== 'content' && key !== 'structuredContent' && key !== 'isError') return false;
  }
  const { content, structuredContent, isError } = result;
  return (
    Array.isArray(content) &&
    content.every(isPlainText) &&
    (structuredContent === undefined || isObject(structuredContent)) &&
    (isError === undefined || typeof isError === 'boolean')
  );
}

function isPlainText(block: unknown): boolean {
  if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return false;
  for (const key in block) {
    if (key !== 'type' && key !== 'text') return false;
  }
  return true;
}
