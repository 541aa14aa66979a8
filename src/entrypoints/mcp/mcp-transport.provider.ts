import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { McpEndpoint, type RequestSource, type WireError } from '#mcp-http';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { ConnectedClients } from '../../access/clients/connected-clients.service.js';
import { McpStatus } from '../../access/clients/mcp-status.service.js';
import { EndpointLimitsService } from './endpoint-limits.service.js';
import { DatabaseStorage } from './database-storage.service.js';
import { McpProtocol } from './mcp-protocol.service.js';

const STORAGE_LOG_EVERY_MS = 60_000;

/** Starts and stops the one Streamable HTTP endpoint of this process. */
@Injectable()
export class McpTransport implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(McpTransport.name);
  readonly endpoint: McpEndpoint<Client>;
  private storageFailedAtMs = -Infinity;

  constructor(
    protocol: McpProtocol,
    storage: DatabaseStorage,
    limits: EndpointLimitsService,
    programs: ConnectedClients,
    private readonly status: McpStatus,
  ) {
    this.endpoint = new McpEndpoint<Client>({
      protocol,
      storage,
      limits: () => limits.current(),
      quotaOf: (client) => limits.quotaOf(client),
      resultLimitOf: (tool) => limits.ownResultOf(tool),
      identify: withSource,
      onRequest: (client, program) => programs.seen(client, program, Date.now()),
      onError: (error) => this.logger.debug(error.message),
      onStorageError: (error) => this.storageFailed(error, Date.now()),
    });
    programs.reportStreams(() =>
      this.endpoint.openStreams().map(({ caller, program, sessionId }) => ({ client: caller, ...program, sessionId })),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.endpoint.start();
    this.status.enter('running');
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.status.enter('stopping');
    await this.endpoint.close();
  }

  /** Returns why a request is refused whoever sends it; null when it may come in. */
  refusal(req: IncomingMessage, res: ServerResponse, isOwnPage: boolean): WireError | null {
    return this.endpoint.refusal(req, res, { isOwnPage });
  }

  /** Logs it once a minute at most: every call would say the same. */
  private storageFailed(error: unknown, nowMs: number): void {
    if (nowMs - this.storageFailedAtMs < STORAGE_LOG_EVERY_MS) return;
    this.storageFailedAtMs = nowMs;
    this.logger.warn(
      { err: error },
      'Sessions and streams could not be recorded. Requests are answered, but clients may miss changes after a restart',
    );
  }
}

/** Returns the client with what the endpoint knows about its request. */
function withSource({ name, groups, origin = UNKNOWN_ORIGIN }: Client, { program, sessionId }: RequestSource): Client {
  const { name: programName, version: programVersion, protocolVersion } = program;
  return { name, groups, origin: { ...origin, program: programName, programVersion, protocolVersion, sessionId } };
}
