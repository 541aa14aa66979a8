import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestId } from '@modelcontextprotocol/server';
import { errorMessage, type WireError } from './json-rpc.js';

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

/** Returns whether nobody reads a response any more: it is over, or its connection is. */
export const isGone = (res: ServerResponse): boolean => res.closed || res.destroyed || res.req.socket.destroyed;

/** Runs `callback` once when a response is over; in a moment when it is already, because Node tells of that only once. */
export function whenClosed(res: ServerResponse, callback: () => void): void {
  if (isGone(res)) queueMicrotask(callback);
  else res.once('close', callback);
}
