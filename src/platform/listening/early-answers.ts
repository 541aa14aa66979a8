import type { IncomingMessage, ServerResponse } from 'node:http';

const RETRY_AFTER_SECONDS = '2';

/** Answers a probe of a process whose application is not there yet: it lives, and is not ready. Returns whether it was one. */
export function answerProbe(req: IncomingMessage, res: ServerResponse): boolean {
  switch (pathOf(req)) {
    case '/health/live':
      send(res, 200, 'application/json', { status: 'ok' });
      return true;
    case '/health/ready': {
      const starting = { mcp: { status: 'down', message: 'starting' } };
      send(res, 503, 'application/json', { status: 'error', info: {}, error: starting, details: starting });
      return true;
    }
    default:
      return false;
  }
}

/** Refuses a request because the application is not there, in the form that its callers read. */
export function refuse(req: IncomingMessage, res: ServerResponse, reason: string): void {
  const detail = `The service is starting, and ${reason}: try again in a moment`;
  if (/^\/mcp\/?$/.test(pathOf(req))) {
    send(res, 503, 'application/json', { jsonrpc: '2.0', id: null, error: { code: -32000, message: detail } });
  } else {
    const [type, title, code] = ['about:blank', 'Service Unavailable', 'service.starting'];
    send(res, 503, 'application/problem+json', { type, title, status: 503, code, detail });
  }
}

function send(res: ServerResponse, status: number, type: string, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    // The next request shall find the application; and what this one still sends is not read.
    Connection: 'close',
    ...(status === 503 && { 'Retry-After': RETRY_AFTER_SECONDS }),
  });
  res.end(text);
}

const pathOf = (req: IncomingMessage): string => req.url?.split('?', 1)[0] ?? '';
