import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http';

export interface AuthProxyOptions {
  port: number;
  targetPort: number;
  apiKey: string;
}

/**
 * Adds the API key to requests without one: the conformance suites cannot send custom headers. Everything else is forwarded
 * unchanged, including Host, Origin and the case of header names.
 */
export async function startAuthProxy(options: AuthProxyOptions): Promise<Server> {
  const proxy = createServer((request, response) => forward(request, response, options));
  proxy.listen(options.port, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

function forward(request: IncomingMessage, response: ServerResponse, { targetPort, apiKey }: AuthProxyOptions): void {
  const headers = endToEnd(request.rawHeaders);
  if (request.headers.authorization === undefined) headers.push('Authorization', `Bearer ${apiKey}`);
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');

  const { method, url: path } = request;
  const upstream = send({ host: '127.0.0.1', port: targetPort, method, path, headers, setHost: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
    response.flushHeaders(); // an event stream may not send its first byte for a long time
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  upstream.setNoDelay(true);
  upstream.on('error', (error) => {
    if (response.headersSent) return response.destroy();
    response.writeHead(502).end(error.message);
  });
  response.on('close', () => upstream.destroy()); // the server must notice when the client disconnects
  request.pipe(upstream);
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => !HOP_BY_HOP.has((rawHeaders[index & ~1] ?? '').toLowerCase()));
}
