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
  sendJsonText(res, status, JSON.stringify(body), headers);
}

export function sendJsonText(
  res: ServerResponse,
  status: number,
  payload: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (res.headersSent || res.destroyed) return;
  // As a string, Node sends it in one write with the headers.
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
