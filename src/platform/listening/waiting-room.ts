import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

export interface WaitingLimits {
  maxWaiting: number;
  waitMs: number;
}

const DEFAULT_LIMITS: WaitingLimits = { maxWaiting: 1_000, waitMs: 30_000 };

/**
 * Holds requests that arrive while the application starts, so that no client is refused meanwhile. Probes are answered
 * immediately; all others wait, within limits, and are served in order of arrival.
 */
export class WaitingRoom {
  private readonly waiting = new Map<ServerResponse, { req: IncomingMessage; timer: NodeJS.Timeout }>();
  private isClosed = false;

  constructor(
    private readonly server: Server,
    private readonly limits: WaitingLimits = DEFAULT_LIMITS,
  ) {
    server.on('request', this.take);
  }

  /** Lets the application serve the waiting requests, and all later ones. */
  open(application: RequestListener): void {
    this.server.off('request', this.take);
    this.server.on('request', application);
    for (const [res, req] of this.leave()) application(req, res);
  }

  /** Refuses the waiting requests, and all later ones. */
  close(): void {
    this.isClosed = true;
    for (const [res, req] of this.leave()) refuse(req, res, 'it cannot start');
  }

  private readonly take = (req: IncomingMessage, res: ServerResponse): void => {
    if (answerProbe(req, res)) return;
    if (this.isClosed) return refuse(req, res, 'it cannot start');
    if (this.waiting.size >= this.limits.maxWaiting) return refuse(req, res, 'too many requests wait for it already');
    const timer = setTimeout(() => {
      this.waiting.delete(res);
      refuse(req, res, 'it takes long');
    }, this.limits.waitMs);
    this.waiting.set(res, { req, timer });
    res.once('close', () => {
      clearTimeout(timer);
      this.waiting.delete(res);
    });
  };

  /** Removes all waiting requests, and returns them in order of arrival. */
  private leave(): [ServerResponse, IncomingMessage][] {
    const all = [...this.waiting];
    this.waiting.clear();
    return all.map(([res, { req, timer }]) => {
      clearTimeout(timer);
      return [res, req];
    });
  }
}

const RETRY_AFTER_SECONDS = '2';

/** Answers a probe while the application is starting: live, but not ready. Returns whether it was a probe. */
function answerProbe(req: IncomingMessage, res: ServerResponse): boolean {
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

/** Refuses a request because the application is not ready, in the format of the endpoint. */
function refuse(req: IncomingMessage, res: ServerResponse, reason: string): void {
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
    // The next request should reach the application; and the rest of this one is not read.
    Connection: 'close',
    ...(status === 503 && { 'Retry-After': RETRY_AFTER_SECONDS }),
  });
  res.end(text);
}

const pathOf = (req: IncomingMessage): string => req.url?.split('?', 1)[0] ?? '';
