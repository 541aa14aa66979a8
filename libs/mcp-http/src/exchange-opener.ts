import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EndpointTiming } from './endpoint-options.js';
import type { KeepAlive } from './event-stream.js';
import { Exchange } from './exchange.js';
import { acceptsOf } from './http.js';
import type { WireError } from './json-rpc.js';
import type { ResumableStream } from './resumable-stream.js';

interface ExchangeRequest {
  client: string;
  expected: number;
  batch: boolean;
  headers?: OutgoingHttpHeaders;
  resumable?: ResumableStream | null;
  onResumable?: (streamId: string, exchange: Exchange) => void;
  onAnswered?: () => void;
  onAbandoned: () => void;
}

/** Opens exchanges and knows those that are not over. */
export class ExchangeOpener {
  private readonly running = new Map<Exchange, string>();

  constructor(
    private readonly timing: EndpointTiming,
    private readonly keepAlive: KeepAlive,
  ) {}

  get count(): number {
    return this.running.size;
  }

  open(req: IncomingMessage, res: ServerResponse, request: ExchangeRequest): Exchange {
    const exchange = new Exchange(res, {
      accepts: acceptsOf(req.headers.accept),
      expected: request.expected,
      batch: request.batch,
      headers: request.headers ?? {},
      resumable: request.resumable ?? null,
      timing: this.timing,
      keepAlive: this.keepAlive,
      ...(request.onResumable && { onResumable: request.onResumable }),
      onEnd: (outcome) => {
        this.running.delete(exchange);
        if (outcome === 'abandoned') request.onAbandoned();
        else request.onAnswered?.();
      },
    });
    this.running.set(exchange, request.client);
    return exchange;
  }

  /** Cuts the exchanges of one client, or of all. */
  abandon(reason: WireError, client?: string): void {
    for (const [exchange, owner] of this.running) {
      if (client === undefined || owner === client) exchange.abandon(reason);
    }
  }

  /** Resolves when no exchange is running, or after `timeoutMs`. */
  async drained(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (this.running.size > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
