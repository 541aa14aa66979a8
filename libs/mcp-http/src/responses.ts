import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type JSONRPCResponse, type RequestId, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';
import { ErrorCode, errorMessage, type WireError } from './json-rpc.js';
import type { EndpointLimits } from './endpoint-options.js';

export function sendJson(res: ServerResponse, status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
  sendJsonText(res, status, JSON.stringify(body), headers);
}

export function sendJsonText(
  res: ServerResponse,
  status: number,
  payload: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (res.headersSent || res.destroyed) return;
  // Node sends a string in one write with the headers.
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(payload),
    ...headers,
  });
  res.end(payload);
}

export function sendError(
  res: ServerResponse,
  error: WireError,
  id: RequestId | null = null,
  headers: OutgoingHttpHeaders = {},
): void {
  sendJson(res, error.httpStatus, errorMessage(id, error), headers);
}

export function sendEmpty(res: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { 'Content-Length': 0, ...headers });
  res.end();
}

/** Returns whether nobody reads a response any more: it is finished, or its connection is closed. */
export const isClosed = (res: ServerResponse): boolean => res.closed || res.destroyed || res.req.socket.destroyed;

/** Runs `callback` once when a response is finished; in a microtask when it already is, because Node emits the event only once. */
export function whenClosed(res: ServerResponse, callback: () => void): void {
  if (isClosed(res)) queueMicrotask(callback);
  else res.once('close', callback);
}

const SETTING = 'mcp.max_result_bytes';

interface Room {
  most: number;
  /** Bytes used by earlier responses of the same batch. */
  used: number;
}

/** Returns the response to a request of this method as JSON; an error instead when it is too large or not serialisable. */
export function answerText(message: JSONRPCResponse, method: string, { most, used }: Room): string {
  const text = asJson(message);
  if (text === null) return JSON.stringify(errorMessage(idOf(message), UNWRITABLE));
  // No character takes more than three bytes, so most responses need not be measured.
  if (used + text.length * 3 <= most) return text;
  const bytes = Buffer.byteLength(text);
  if (used + bytes <= most) return text;
  const together = used > 0 ? ' for all answers to a batch' : '';
  return JSON.stringify(tooLarge(message, method, `${bytes} bytes of JSON, the limit is ${most}${together}`));
}

function tooLarge(message: JSONRPCResponse, method: string, size: string): object {
  const problem = `The result is too large: ${size} (setting ${SETTING})`;
  if (method !== 'tools/call' || !('result' in message)) {
    return errorMessage(idOf(message), {
      httpStatus: 200,
      code: ErrorCode.refused,
      message: `${problem}. Ask for less`,
    });
  }
  const { resultType, _meta } = message.result;
  const text = `${problem}. Ask for less at once, or have the administrator raise ${SETTING}.`;
  const serverInfo = isObject(_meta) ? _meta[SERVER_INFO_META_KEY] : undefined;
  return {
    jsonrpc: '2.0',
    id: message.id,
    result: {
      ...(resultType !== undefined && { resultType: 'complete' }),
      content: [{ type: 'text', text }],
      isError: true,
      ...(serverInfo !== undefined && { _meta: { [SERVER_INFO_META_KEY]: serverInfo } }),
    },
  };
}

function asJson(message: JSONRPCResponse): string | null {
  try {
    return JSON.stringify(message);
  } catch {
    return null;
  }
}

const idOf = ({ id }: JSONRPCResponse) => id ?? null;

const UNWRITABLE = {
  httpStatus: 200,
  code: ErrorCode.internalError,
  message: 'Internal error: the result cannot be written as JSON',
};

const CHECK_EVERY_MS = 1_000;
/** Responses up to this size always have room, so that refusals can be sent. */
const SMALL = 4_096;

interface Backlog {
  bytes: number;
  /** When the client must have read everything (`performance.now`). */
  deadline: number;
}

/** Limits the bytes that were written but not yet read by clients, per connection and in total. */
export class UnreadBytes {
  private readonly backlogs = new Map<ServerResponse, Backlog>();
  private readonly watched = new WeakSet<ServerResponse>();
  private total = 0;
  private checkedAtMs = 0;
  private readonly timer: NodeJS.Timeout;

  /** @param slowestBytesPerMs connections of clients that read more slowly are closed */
  constructor(
    private readonly limits: () => EndpointLimits,
    private readonly slowestBytesPerMs: number,
  ) {
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Returns whether this many more bytes may be pending, over all connections. */
  hasRoomFor(bytes: number): boolean {
    if (bytes <= SMALL || this.total + bytes <= this.limits().maxUnreadBytes) return true;
    if (performance.now() - this.checkedAtMs > CHECK_EVERY_MS / 10) this.check();
    return this.total + bytes <= this.limits().maxUnreadBytes;
  }

  /** Returns whether a stream may be written to: its client has read most of the earlier data. */
  takesMore(res: ServerResponse, bytes: number): boolean {
    const { writableLength } = res;
    if (writableLength === 0 && bytes <= SMALL) return true;
    return writableLength <= this.limits().maxUnreadBytesPerConnection && this.hasRoomFor(bytes);
  }

  /** Counts the unread bytes of a connection. Must be called after each write. */
  wrote(res: ServerResponse): void {
    const { writableLength } = res;
    const known = this.backlogs.get(res);
    if (known) return this.update(res, known, writableLength);
    if (writableLength === 0) return;
    const backlog = { bytes: 0, deadline: performance.now() + this.limits().unreadTimeoutMs };
    this.backlogs.set(res, backlog);
    this.update(res, backlog, writableLength);
    if (this.watched.has(res)) return;
    this.watched.add(res);
    whenClosed(res, () => this.forget(res));
  }

  private update(res: ServerResponse, backlog: Backlog, bytes: number): void {
    const more = bytes - backlog.bytes;
    this.total += more;
    backlog.bytes = bytes;
    if (more > 0) backlog.deadline += more / this.slowestBytesPerMs;
    if (bytes === 0) this.backlogs.delete(res);
  }

  private forget(res: ServerResponse): void {
    this.total -= this.backlogs.get(res)?.bytes ?? 0;
    this.backlogs.delete(res);
  }

  private check(): void {
    this.checkedAtMs = performance.now();
    for (const [res, backlog] of this.backlogs) {
      this.update(res, backlog, res.writableLength);
      if (backlog.bytes > 0 && backlog.deadline < this.checkedAtMs) res.destroy();
    }
  }
}
