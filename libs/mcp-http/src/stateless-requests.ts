import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  type InboundClassificationOutcome,
  CLIENT_INFO_META_KEY,
  type InboundModernRoute,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type ServerCapabilities,
} from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';
import { authInfoOf, type Caller, instructionsBy, type Program, toProgram } from './caller.js';
import {
  type EndpointOptions,
  type EndpointProtocol,
  SESSION_VERSIONS,
  STATELESS_VERSION,
} from './endpoint-options.js';
import { CANCELLED_BY_CLIENT, type ErrorRules, ExchangeTransport } from './exchange-transport.js';
import type { Exchanges } from './exchanges.js';
import { ErrorCode, type InboundMessage, shortened, type WireError } from './json-rpc.js';
import { checkEnvelopesOnce, type EnvelopeCheck } from './known-envelopes.js';
import { LeanServer } from './lean-server.js';
import type { ListenStreams } from './listen-streams.js';
import { headerOf, parameterHeaderProblem, standardHeaderProblem } from './request-headers.js';
import { refused, RETRY_SOON, TASKS_EXTENSION } from './refusals.js';
import { sendEmpty, sendError } from './responses.js';

/** Returns whether a message claims protocol 2026-07-28 or later, in its envelope or in its header. */
export function isStateless(req: IncomingMessage, { kind, message }: InboundMessage): boolean {
  if (kind === 'response') return false;
  const meta = message.params?.['_meta'];
  if (isObject(meta) && PROTOCOL_VERSION_META_KEY in meta) return true;
  const version = headerOf(req, 'mcp-protocol-version');
  return version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= STATELESS_VERSION;
}

/** The SDK's protocol server, set to 2026-07-28 from the start, because this era has no handshake. */
class StatelessServer extends LeanServer {
  protected override _negotiatedProtocolVersion = STATELESS_VERSION;
}

/**
 * An error from before a handler ran has its own HTTP status, and -32021 always has 400. Other handler errors come with 200
 * (specification 2026-07-28, streamable-http, "Protocol Version Header", and basic, "_meta").
 */
const STATELESS_ERRORS: ErrorRules = {
  statusOf: (code, beforeHandler) => {
    if (code === ErrorCode.missingCapability) return 400;
    if (!beforeHandler) return 200;
    return code === ErrorCode.methodNotFound ? 404 : 400;
  },
  codeOf: ({ code }) => code,
};

/** Serves the 2026-07-28 era. One protocol server answers every request of every client. */
export class StatelessRequests<C extends Caller> {
  private readonly transport = new ExchangeTransport(undefined, STATELESS_ERRORS);
  private readonly server: Server;
  private readonly checkEnvelope: EnvelopeCheck;

  constructor(
    private readonly options: EndpointOptions<C>,
    private readonly exchanges: Exchanges,
    private readonly listenStreams: ListenStreams<C>,
  ) {
    const { protocol } = options;
    const server = new StatelessServer(protocol.serverInfo, {
      ...protocol.serverOptions,
      capabilities: capabilitiesOf(protocol),
      supportedProtocolVersions: [STATELESS_VERSION],
    });
    server.instructionsFor = instructionsBy(protocol);
    this.server = server;
    this.checkEnvelope = checkEnvelopesOnce(this.server);
    this.server.onerror = options.onError;
    protocol.register(this.server, null);
  }

  async start(): Promise<void> {
    await this.transport.connect(this.server);
  }

  async post(req: IncomingMessage, res: ServerResponse, inbound: InboundMessage, caller: C): Promise<void> {
    const route = plainRouteOf(req, inbound) ?? classify(req, inbound.message);
    const id = inbound.kind === 'request' ? inbound.message.id : null;
    if (route.kind === 'reject') return sendError(res, route, id);
    if (route.kind === 'legacy') return sendError(res, unsupportedVersion(route.requestedVersion), id);
    const problem = this.problemOf(req, route);
    if (problem) return sendError(res, problem, id);
    // In this era, clients send no notifications over HTTP: they cancel by closing the response.
    if (route.messageKind === 'notification') return sendEmpty(res, 202);
    const program = programOf(route.message);
    this.options.onRequest?.(caller, program);
    const identified = this.options.identify?.(caller, { program, sessionId: null }) ?? caller;
    if (route.message.method === LISTEN) {
      return this.listenStreams.open({ message: route.message, caller: identified, program, res });
    }
    this.serve(req, res, route, identified);
  }

  private problemOf(req: IncomingMessage, route: InboundModernRoute): WireError | null {
    const { revision } = route.classification;
    if (revision !== STATELESS_VERSION) return unsupportedVersion(revision);
    if (route.messageKind === 'notification') return null;
    const { message } = route;
    const problem = standardHeaderProblem(req, message) ?? answersProblem(message);
    if (!problem && message.method === LISTEN) return this.envelopeProblem(message);
    if (problem || message.method !== 'tools/call') return problem;
    const { name, arguments: args } = message.params ?? {};
    return parameterHeaderProblem(req, args, this.options.protocol.headerParameters(String(name)));
  }

  /** The SDK's server checks the envelopes of the other requests. */
  private envelopeProblem({ params }: JSONRPCRequest): WireError | null {
    const message = this.checkEnvelope({ envelope: params?.['_meta'] });
    return message === undefined ? null : { httpStatus: 400, code: ErrorCode.invalidParams, message };
  }

  private serve(
    req: IncomingMessage,
    res: ServerResponse,
    { message, classification }: InboundModernRoute & { messageKind: 'request' },
    caller: C,
  ): void {
    const refusal = this.exchanges.refusal(caller.name, 1);
    if (refusal) return sendError(res, refusal, message.id, RETRY_SOON);
    const exchange = this.exchanges.open(req, res, {
      caller,
      requestIds: [message.id],
      batch: false,
      // Closing the response is how a client cancels (specification 2026-07-28, basic/patterns/cancellation).
      onAbandoned: (isLost) => this.transport.cancel(exchange, isLost ? CANCELLED_BY_CLIENT : undefined),
    });
    this.transport.request(message, exchange, { classification, authInfo: authInfoOf(caller) });
  }
}

/** Returns the declared capabilities: the Tasks extension exists only in this era. */
function capabilitiesOf({ serverOptions, tasks }: Pick<EndpointProtocol<never>, 'serverOptions' | 'tasks'>) {
  const capabilities: ServerCapabilities = serverOptions.capabilities ?? {};
  if (!tasks) return capabilities;
  return { ...capabilities, extensions: { ...capabilities.extensions, [TASKS_EXTENSION]: {} } };
}

const LISTEN = 'subscriptions/listen';
const PLAIN = { era: 'modern', revision: STATELESS_VERSION } as const;

/** Returns the route of a request whose headers and envelope agree, as nearly all do; null when it needs a full check. */
function plainRouteOf(req: IncomingMessage, { kind, message }: InboundMessage): InboundModernRoute | null {
  if (kind !== 'request' || headerOf(req, 'mcp-protocol-version') !== STATELESS_VERSION) return null;
  const meta = message.params?.['_meta'];
  if (!isObject(meta) || meta[PROTOCOL_VERSION_META_KEY] !== STATELESS_VERSION) return null;
  if (!isObject(meta[CLIENT_CAPABILITIES_META_KEY]) || headerOf(req, 'mcp-method') !== message.method) return null;
  return { kind: 'modern', messageKind: 'request', message, classification: PLAIN };
}

function classify(req: IncomingMessage, body: InboundMessage['message']): InboundClassificationOutcome {
  const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((header) =>
    headerOf(req, header),
  );
  return classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
    body,
  });
}

function programOf({ params }: JSONRPCRequest): Program {
  const meta = params?.['_meta'];
  return toProgram(isObject(meta) ? meta[CLIENT_INFO_META_KEY] : undefined, STATELESS_VERSION);
}

/** Returns the refusal of an unsupported version. It lists the supported ones. */
export function unsupportedVersion(requested: string | undefined): WireError {
  const stateless = requested !== undefined && requested >= STATELESS_VERSION;
  const shown = requested === undefined ? undefined : shortened(requested, 100);
  return {
    httpStatus: 400,
    code: ErrorCode.unsupportedVersion,
    message: `Unsupported protocol version: ${shown ?? 'none given'}`,
    data: {
      supported: stateless ? [STATELESS_VERSION] : [STATELESS_VERSION, ...SESSION_VERSIONS],
      ...(shown !== undefined && { requested: shown }),
    },
  };
}

/** The protocol server treats anything but an object as no answers. */
const answersProblem = ({ params }: JSONRPCRequest): WireError | null =>
  isObject(params?.['inputResponses'] ?? {}) ? null : ANSWERS_IN_NO_OBJECT;

const ANSWERS_IN_NO_OBJECT = refused(
  400,
  'Invalid params: "inputResponses" must be an object with the answers by their keys',
  ErrorCode.invalidParams,
);
