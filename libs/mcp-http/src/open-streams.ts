import type { ServerResponse } from 'node:http';
import type { EndpointLimits } from './endpoint-limits.js';
import type { WireError } from './json-rpc.js';
import { Quota } from './quota.js';
import { STREAMS, tooMany } from './refusals.js';

/** Counts the streams of both eras over which the service tells of changes. */
export class OpenStreams {
  private readonly streams = new Quota();

  constructor(private readonly limits: () => EndpointLimits) {}

  /** Why a client may not open one more; null when it may. */
  refusal(client: string): WireError | null {
    const { maxStreams, maxStreamsPerKey } = this.limits();
    const limits = { perClient: maxStreamsPerKey, inAll: maxStreams };
    const exceeded = this.streams.exceeded(client, 1, limits);
    return exceeded && tooMany(STREAMS, exceeded, limits);
  }

  /** It counts until the response is closed. */
  add(res: ServerResponse, client: string): void {
    this.streams.add(client, 1);
    res.once('close', () => this.streams.remove(client, 1));
  }
}
