import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestId } from '@modelcontextprotocol/server';
import { InFlight } from '#in-flight';
import { type Caller, type Revocation, isRevoked } from './caller.js';
import type { ClientQuota, EndpointLimits, EndpointTiming } from './endpoint-options.js';
import type { EventStreams } from './event-stream.js';
import { Exchange } from './exchange.js';
import type { WireError } from './json-rpc.js';
import { acceptsOf } from './request-headers.js';
import type { OnExceeded } from './exceeded-limit.js';
import { CALLS, limitsFor, Quota } from './quota.js';
import { SERVICE_STOPPED, SERVICE_STOPPING } from './refusals.js';
import type { FairQueue } from './fair-queue.js';
import type { ResumableStream } from './resumable-stream.js';
import type { UnreadBytes } from './responses.js';

interface ExchangeRequest {
  caller: Caller;
  requestIds: readonly RequestId[];
  batch: boolean;
  headers?: OutgoingHttpHeaders;
  resumable?: ResumableStream | null;
  onResumable?: (streamId: string, exchange: Exchange) => void;
  onAbandoned: (isLost: boolean) => void;
  onEnd?: () => void;
}

/** The exchanges of this process: opens, counts and ends them. */
export class Exchanges {
  private readonly running = new InFlight<{ exchange: Exchange; caller: Caller }>();
  private readonly calls: Quota;
  private isStopped = false;

  constructor(
    private readonly context: {
      timing: EndpointTiming;
      limits: () => EndpointLimits;
      quotaOf: ((client: string) => ClientQuota) | undefined;
      resultLimitOf: ((tool: string) => number | null) | undefined;
      turns: FairQueue;
      events: EventStreams;
      unread: UnreadBytes;
      onStorageError: (error: unknown) => void;
    },
    onExceeded?: OnExceeded,
  ) {
    const limitsOf = (client: string) => {
      const { maxCalls, maxCallsPerKey } = context.limits();
      return limitsFor(context.quotaOf?.(client).calls, maxCallsPerKey, maxCalls);
    };
    this.calls = new Quota(CALLS, limitsOf, onExceeded);
  }

  get count(): number {
    return this.running.size;
  }

  /** Returns why a client may not have this many more calls in flight; null when it may. */
  refusal(client: string, calls: number): WireError | null {
    if (this.isStopped) return SERVICE_STOPPING;
    const refusal = this.calls.refusal(client, calls);
    if (refusal) this.context.turns.chargeRefusal(client);
    return refusal;
  }

  open(req: IncomingMessage, res: ServerResponse, request: ExchangeRequest): Exchange {
    const { caller, requestIds } = request;
    const { limits, quotaOf: _quotaOf, turns: _turns, resultLimitOf, ...context } = this.context;
    const exchange = new Exchange(res, {
      ...context,
      maxResultBytes: (tool) => mostBytes(limits().maxResultBytes, tool === null ? null : resultLimitOf?.(tool)),
      accepts: acceptsOf(req.headers.accept),
      requestIds,
      batch: request.batch,
      headers: request.headers ?? {},
      resumable: request.resumable ?? null,
      ...(request.onResumable && { onResumable: request.onResumable }),
      onAbandoned: request.onAbandoned,
      onEnd: () => {
        this.running.delete(number);
        this.calls.remove(caller.name, requestIds.length);
        request.onEnd?.();
      },
    });
    const number = this.running.add({ exchange, caller });
    this.calls.add(caller.name, requestIds.length);
    return exchange;
  }

  /** Answers the requests covered by the cut-off with the reason. */
  revoke(reason: WireError, whose: Revocation): void {
    for (const { item } of this.running) if (isRevoked(item.caller, whose)) item.exchange.abandon(reason);
  }

  /** Answers all current and future requests, because the service stops. Clients may resume streams later. */
  stop(): void {
    this.isStopped = true;
    for (const { item } of this.running) item.exchange.abandon(SERVICE_STOPPED, { isResumable: true });
  }

  /** Resolves when no exchange is running, or after `timeoutMs`. */
  async drained(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.running.size > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Room for the envelope around a result that uses the limit of its tool. */
const ENVELOPE_BYTES = 4_096;

/** Returns the size limit for responses: the general one, or more for a tool with a larger limit. */
const mostBytes = (ofAll: number, ofTool: number | null | undefined): number =>
  typeof ofTool === 'number' ? Math.max(ofAll, ofTool + ENVELOPE_BYTES) : ofAll;
