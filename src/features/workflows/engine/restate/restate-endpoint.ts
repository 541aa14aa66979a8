import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { Logger } from '@nestjs/common';
import type * as RestateSdk from '@restatedev/restate-sdk';
import type { Invocations } from './invocations.js';
import { BLOCKS, RUNS } from './services.js';
import type { Sdk } from './branch.js';

export interface EndpointOptions {
  host: string;
  port: number;
  /** Public keys of the clusters that may call; none = anyone who reaches the port may call. */
  identityKeys: readonly string[];
}

/** Steps have no time limit: a dead process is detected by its connection. */
const LONGEST_STEP = { days: 1 };
const OPTIONS: RestateSdk.ServiceOptions = {
  abortTimeout: LONGEST_STEP,
  // Otherwise Restate would give up after some attempts, and wait for an operator.
  retryPolicy: {
    initialInterval: 100,
    exponentiationFactor: 2,
    maxInterval: 5_000,
    maxAttempts: Number.MAX_SAFE_INTEGER,
  },
};
const MOST_STREAMS = 1_000;
const LARGEST_HEADERS_BYTES = 16 * 1024;

/** The endpoint that Restate calls to execute runs, on a separate port: HTTP/2 with long-lived streams. */
export class RestateEndpoint {
  private readonly logger = new Logger('Restate');
  private readonly sessions = new Set<ServerHttp2Session>();
  private server: Http2Server | null = null; // null = not listening

  constructor(
    private readonly sdk: Sdk,
    private readonly invocations: Invocations,
  ) {}

  async listen({ host, port, identityKeys }: EndpointOptions): Promise<void> {
    if (identityKeys.length === 0)
      this.logger.warn(
        `Port ${port} executes the runs that anyone asks for who reaches it: set RESTATE_IDENTITY_KEYS, or keep others away.`,
      );
    const handler = this.sdk.createEndpointHandler({
      services: [this.runs(), this.blocks()],
      identityKeys: [...identityKeys],
      bidirectional: true,
      logger: ({ level }, ...parts: unknown[]) => this.log(level, parts.map(String).join(' ')),
    });
    const settings = { maxConcurrentStreams: MOST_STREAMS, maxHeaderListSize: LARGEST_HEADERS_BYTES };
    this.server = createServer({ settings }, handler);
    this.server.on('session', (session) => {
      this.sessions.add(session);
      session.on('close', () => this.sessions.delete(session));
    });
    this.server.on('sessionError', (error) => this.logger.debug(String(error)));
    this.server.listen(port, host);
    await once(this.server, 'listening');
  }

  /** Aborts work in progress. Restate lets another process do it, or retries later. */
  async close(): Promise<void> {
    if (!this.server) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server = null;
    for (const session of this.sessions) session.destroy();
    await closed;
  }

  private runs() {
    return this.sdk.service({
      name: RUNS.service,
      options: OPTIONS,
      handlers: {
        [RUNS.method]: (context: RestateSdk.Context, call: { id: string }) =>
          this.invocations.executeRun(context, call),
      },
    });
  }

  private blocks() {
    return this.sdk.service({
      name: BLOCKS.service,
      options: { ...OPTIONS, ingressPrivate: true },
      handlers: {
        [BLOCKS.method]: (context: RestateSdk.Context, call: Parameters<Invocations['executeBlock']>[1]) =>
          this.invocations.executeBlock(context, call),
      },
    });
  }

  /** Passes messages of Restate's SDK to the log. When the service stops, the SDK complains about lost connections. */
  private log(level: string, message: string): void {
    const [line = ''] = message.split('\n  ');
    if (this.server === null || (level !== 'error' && level !== 'warn')) this.logger.debug(line);
    else this.logger.warn(line.replaceAll('\n', ' ').slice(0, 500));
  }
}
