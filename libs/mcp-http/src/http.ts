import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestId } from '@modelcontextprotocol/server';
import { errorMessage, type WireError } from './json-rpc.js';

/** Which of the two response forms a caller can read. A caller that names neither gets the benefit of the doubt. */
export interface Accepts {
  json: boolean;
  sse: boolean;
}

const EVERYTHING: Accepts = { json: true, sse: true };

export function acceptsOf(header: string | undefined): Accepts {
  if (header === undefined || header.includes('*/*')) return EVERYTHING;
  const json = header.includes('application/json') || header.includes('application/*');
  const sse = header.includes('text/event-stream') || header.includes('text/*');
  return json || sse ? { json, sse } : EVERYTHING;
}

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Tells nginx not to hold events back.
  'X-Accel-Buffering': 'no',
} as const;

export function sendJson(res: ServerResponse, status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
  if (res.headersSent || res.destroyed) return;
  // As a string, Node sends it in one write with the headers.
  const payload = JSON.stringify(body);
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

/** One header's value; the first where a client sent several. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

export type BodyOutcome = { value: unknown } | { problem: 'too_large' | 'not_json' | 'aborted' };

/** How long a client may go on sending a body that was refused; cut off at once, it would not see the answer. */
const DISCARD_MS = 5_000;

/** Reads and parses a JSON body of at most `maxBytes`; what follows the limit is thrown away. */
export function readJsonBody(req: IncomingMessage, maxBytes: number): Promise<BodyOutcome> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    discard(req);
    return Promise.resolve({ problem: 'too_large' });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxBytes) {
        discard(req.removeAllListeners('data'));
        resolve({ problem: 'too_large' });
      } else chunks.push(chunk);
    });
    req.on('end', () => resolve(parsed(chunks)));
    req.on('close', () => resolve({ problem: 'aborted' }));
    req.on('error', () => resolve({ problem: 'aborted' }));
  });
}

function discard(req: IncomingMessage): void {
  const timer = setTimeout(() => req.destroy(), DISCARD_MS).unref();
  req.on('close', () => clearTimeout(timer)).resume();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(chunks: Buffer[]): BodyOutcome {
  const [first] = chunks;
  if (!first) return { problem: 'not_json' };
  try {
    return { value: JSON.parse(utf8.decode(chunks.length === 1 ? first : Buffer.concat(chunks))) as unknown };
  } catch {
    return { problem: 'not_json' };
  }
}
