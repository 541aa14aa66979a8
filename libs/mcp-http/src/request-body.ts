import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isObject, isStorable, placeOfUnstorable, storableValue } from '#bounded-json';
import type { JsonBody } from './body-json.js';
import type { EndpointLimits } from './endpoint-options.js';
import type { LargeBodies } from './large-bodies.js';
import { whenClosed } from './responses.js';
import { ErrorCode, type InboundMessage, type JsonObject, type WireError } from './json-rpc.js';
import { initializeTooLarge, refused } from './refusals.js';

export type BodyProblem = 'too_large' | 'too_deep' | 'too_many_values' | 'not_json' | 'no_room' | 'aborted';

export type BodyOutcome = JsonBody | { problem: BodyProblem };

/** How long a client may continue to send a refused body: if the connection were closed at once, it would not see the response. */
const DISCARD_MS = 5_000;

/** Reads the JSON bodies of requests, and limits the bytes that all of them hold at once. */
export class RequestBodies {
  private heldBytes = 0;

  constructor(
    private readonly limits: () => EndpointLimits,
    private readonly large: LargeBodies,
  ) {}

  /** Reads a body. Its bytes count as held until the response is finished; data beyond a limit is discarded. */
  read(req: IncomingMessage, res: ServerResponse): Promise<BodyOutcome> {
    const limits = this.limits();
    const { maxBodyBytes, maxIncomingBytes } = limits;
    const announced = Number(req.headers['content-length'] ?? 0);
    const refuse = (problem: BodyProblem): BodyOutcome => {
      discard(req.removeAllListeners('data'));
      return { problem };
    };
    if (announced > maxBodyBytes) return Promise.resolve(refuse('too_large'));
    if (this.heldBytes + announced > maxIncomingBytes) return Promise.resolve(refuse('no_room'));
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      whenClosed(res, () => (this.heldBytes -= size));
      req.on('data', (chunk: Buffer) => {
        if (size + chunk.byteLength > maxBodyBytes) return resolve(refuse('too_large'));
        if (this.heldBytes + chunk.byteLength > maxIncomingBytes) return resolve(refuse('no_room'));
        size += chunk.byteLength;
        this.heldBytes += chunk.byteLength;
        chunks.push(chunk);
      });
      req.on('end', () => {
        const body = this.large.parse(chunks, size, limits);
        // The thread ran out of memory.
        resolve(body instanceof Promise ? body.catch(() => ({ problem: 'no_room' })) : body);
      });
      req.on('close', () => resolve({ problem: 'aborted' }));
      req.on('error', () => resolve({ problem: 'aborted' }));
    });
  }
}

function discard(req: IncomingMessage): void {
  const timer = setTimeout(() => req.destroy(), DISCARD_MS).unref();
  req.on('close', () => clearTimeout(timer)).resume();
}

/**
 * Serves the requests of one connection in sequence. A client may pipeline requests (RFC 9112, section 9.3.2); each waits until
 * the previous response is written, so that only one response can be unread.
 */
export class Pipelining {
  /** For each connection, the waiting requests, as functions that give up on them. */
  private readonly waiting = new WeakMap<Socket, Set<() => void>>();

  /** Returns whether a response has its turn: Node assigns the connection to one response at a time. */
  isItsTurn(res: ServerResponse): boolean {
    return res.socket !== null;
  }

  /**
   * Resolves to true when the earlier responses are written; to false at once when `most` requests are already waiting, or when
   * the connection is closed.
   */
  turn({ socket }: IncomingMessage, res: ServerResponse, most: number): Promise<boolean> {
    const waiting = this.waitingOn(socket);
    if (socket.destroyed || waiting.size >= most) return Promise.resolve(false);
    return new Promise((resolve) => {
      const abandon = () => resolve(false);
      waiting.add(abandon);
      res.once('socket', () => {
        waiting.delete(abandon);
        resolve(true);
      });
    });
  }

  private waitingOn(socket: Socket): Set<() => void> {
    const known = this.waiting.get(socket);
    if (known) return known;
    const waiting = new Set<() => void>();
    this.waiting.set(socket, waiting);
    // Node sends no event to responses that have not had their turn.
    socket.once('close', () => waiting.forEach((abandon) => abandon()));
    return waiting;
  }
}

/**
 * Returns why a JSON-RPC message is refused: a name in it is too long, or has characters that cannot be stored. Null = accepted.
 * `bytes` is the size of its body.
 */
export function messageProblem(
  { kind, message }: InboundMessage,
  limits: EndpointLimits,
  bytes: number,
): WireError | null {
  const { maxIdLength, maxInitializeBytes } = limits;
  if (kind !== 'notification' && isTooLong(message.id, maxIdLength)) return tooLong('id', maxIdLength);
  if (kind === 'response') return null;
  if (isTooLong(message.method, maxIdLength)) return tooLong('method', maxIdLength);
  if (message.method === 'initialize' && bytes > maxInitializeBytes) {
    return initializeTooLarge(bytes, maxInitializeBytes);
  }
  return message.params ? paramsProblem(message.params, limits) : null;
}

/**
 * Returns why a request is refused whose params hold text that databases cannot store; null = they do not. `_meta` may hold it: it is
 * echoed in responses, and not stored.
 */
export function unstorableProblem({ kind, message }: InboundMessage): WireError | null {
  if (kind !== 'request' || !message.params) return null;
  const { _meta, ...params } = message.params;
  const place = placeOfUnstorable(params, 'params');
  return place === null ? null : unstorable(place);
}

/** Returns the message without unstorable characters in its result: NUL and lone surrogates. A response cannot be refused. */
export function withStorableResult(inbound: InboundMessage): InboundMessage {
  if (inbound.kind !== 'response' || !('result' in inbound.message)) return inbound;
  const { message } = inbound;
  return { kind: 'response', message: { ...message, result: storableValue(message.result) as JsonObject } };
}

function paramsProblem(params: JsonObject, limits: EndpointLimits): WireError | null {
  const { maxIdLength, maxUriLength, maxArguments } = limits;
  const { _meta, uri, name, cursor, ref, taskId, context } = params;
  const chosen = isObject(context) ? context['arguments'] : undefined;
  const crowded = [params, params['arguments'], _meta, chosen].some(
    (part) => isObject(part) && hasMore(part, maxArguments),
  );
  if (crowded) return tooManyMembers(maxArguments);
  if (_meta !== undefined && isTooLong((_meta as JsonObject)['progressToken'], maxIdLength)) {
    return tooLong('params._meta.progressToken', maxIdLength);
  }
  return (
    nameProblem('params.name', name, maxIdLength) ??
    nameProblem('params.taskId', taskId, maxIdLength) ??
    nameProblem('params.uri', uri, maxUriLength) ??
    nameProblem('params.cursor', cursor, maxUriLength) ??
    (ref === undefined ? null : completionProblem(params, { maxIdLength, maxUriLength }))
  );
}

/** In `completion/complete`, the names are one level deeper than in other methods. */
function completionProblem(
  { ref, argument, context }: JsonObject,
  { maxIdLength, maxUriLength }: Pick<EndpointLimits, 'maxIdLength' | 'maxUriLength'>,
): WireError | null {
  const { name, uri } = isObject(ref) ? ref : {};
  const { name: variable, value } = isObject(argument) ? argument : {};
  const { arguments: chosen } = isObject(context) ? context : {};
  return (
    nameProblem('params.ref.name', name, maxIdLength) ??
    nameProblem('params.ref.uri', uri, maxUriLength) ??
    nameProblem('params.argument.name', variable, maxIdLength) ??
    nameProblem('params.argument.value', value, maxUriLength) ??
    (isObject(chosen) ? chosenProblem(chosen, maxUriLength) : null)
  );
}

/** Returns why the context values of a completion are refused. */
function chosenProblem(chosen: JsonObject, maxLength: number): WireError | null {
  for (const value of Object.values(chosen)) {
    const problem = nameProblem('A value of params.context.arguments', value, maxLength);
    if (problem) return problem;
  }
  return null;
}

/** Returns why a name is refused; null when it is valid. The method's schema refuses names of another type later. */
export function nameProblem(where: string, value: unknown, maxLength: number): WireError | null {
  if (typeof value !== 'string') return null;
  if (value.length > maxLength) return tooLong(where, maxLength, ErrorCode.invalidParams);
  return isStorable(value) ? null : unstorable(where);
}

const unstorable = (where: string): WireError =>
  refused(
    400,
    `${where} holds NUL or half of a character (a lone surrogate). Send it without`,
    ErrorCode.invalidParams,
  );

function hasMore(object: JsonObject, most: number): boolean {
  let count = 0;
  for (const _ in object) if (++count > most) return true;
  return false;
}

const tooManyMembers = (most: number) =>
  refused(400, `params, arguments and _meta have at most ${most} members each. Send fewer`, ErrorCode.invalidParams);

const isTooLong = (value: unknown, maxLength: number): boolean => typeof value === 'string' && value.length > maxLength;

const tooLong = (where: string, maxLength: number, code: number = ErrorCode.invalidRequest) =>
  refused(400, `${where} is too long: the limit is ${maxLength} characters. Send a shorter one`, code);
