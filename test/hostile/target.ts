import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { statelessMessage } from '../harness/stateless-message.js';

/** The service under attack. */
export interface Target {
  port: number;
  key: string;
  password: string;
  /** The origin of a server that serves `feeds`, by path. */
  feedsOrigin: string;
  feeds: Map<string, Buffer>;
}

export interface Reply {
  status: number;
  text: string;
  sessionId: string | undefined;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const LIMIT_MS = 60_000;
export const STATELESS_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a request on a new connection. Failures are also returned as a reply: attackers ignore them. */
export function send({ port }: Target, path: string, { method = 'POST', headers = {}, body }: Sent): Promise<Reply> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: 0, text: String(error), sessionId: undefined });
    const req: ClientRequest = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', fail);
      res.on('close', () => {
        const sessionId = res.headers['mcp-session-id'];
        resolve({
          status: res.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          sessionId: typeof sessionId === 'string' ? sessionId : undefined,
        });
      });
    });
    req.setTimeout(LIMIT_MS, () => req.destroy(new Error('no answer')));
    req.on('error', fail);
    req.end(body);
  });
}

export const mcpHeaders = ({ key }: Target): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/** Calls a tool in the protocol version 2026-07-28. */
export const callTool = (target: Target, name: string, args: object): Promise<Reply> =>
  sendMessage(target, 'tools/call', { name, arguments: args });

/** Reads a resource in the protocol version 2026-07-28. */
export const readResource = (target: Target, uri: string): Promise<Reply> =>
  sendMessage(target, 'resources/read', { uri });

function sendMessage(target: Target, method: string, params: Record<string, unknown>): Promise<Reply> {
  const { headers, body } = statelessMessage(target.key, method, params);
  return send(target, '/mcp', { headers: { ...headers, ...mcpHeaders(target) }, body });
}

export const adminHeaders = ({ password }: Target): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
  'content-type': 'application/json',
});

export const admin = (target: Target, method: string, path: string, body?: unknown): Promise<Reply> =>
  send(target, `/admin/api/${path}`, {
    method,
    headers: adminHeaders(target),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

export const initialize = (params: object = {}): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'hostile', version: '1' },
      ...params,
    },
  });

export async function openSession(target: Target): Promise<Record<string, string>> {
  const { sessionId } = await send(target, '/mcp', { headers: mcpHeaders(target), body: initialize() });
  return { ...mcpHeaders(target), 'mcp-session-id': sessionId ?? '' };
}

/** A connection for arbitrary bytes; errors on it are expected. */
export function rawConnection({ port }: Target): Socket {
  return connect({ port, host: '127.0.0.1' }).on('error', () => {});
}

/** Runs the work `count` times, with limited concurrency. */
export async function inParallel(count: number, atOnce: number, work: (number: number) => Promise<unknown>) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

export const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));
