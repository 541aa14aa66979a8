import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import {
  type ClientQuota,
  type EndpointLimits,
  type EndpointProtocol,
  type ExceededLimit,
  FIXED_LIMITS,
  type HeaderParameter,
  McpEndpoint,
  type RequestSource,
  type ResourceSubscriptions,
} from '#mcp-http';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { ConnectedClients } from '../../access/clients/connected-clients.service.js';
import { McpStatus } from '../../access/clients/mcp-status.service.js';
import { VERSION } from '../../platform/service-info/version.js';
import { ClientsService } from '../../access/clients/clients.service.js';
import { SettingsService } from '../../platform/config/settings.service.js';
import { Environment, publishedHostsOf } from '../../platform/environment/environment.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { readOpenFilesLimit } from '../../platform/listening/open-files.js';
import { INSTRUCTIONS, ROOM_FOR_PACKAGES } from '../../core/skills/instructions.js';
import { ToolLimitsService } from '../../core/skills/skill-catalogue.service.js';
import type { PlainKey } from '../../platform/settings/settings.schema.js';
import { DatabaseStorage } from './database-storage.service.js';
import { Capabilities } from './capabilities.provider.js';
import { InputRequests } from './input-requests.service.js';
import { SKILLS_EXTENSION } from './skill-packages.capability.js';
import type { TasksCapability } from './tasks.capability.js';

const SETTING_OF = {
  maxBodyBytes: 'mcp.max_body_bytes',
  sessionIdleMs: 'mcp.session_idle_ms',
  maxSessions: 'mcp.max_sessions',
  maxSessionsPerKey: 'mcp.max_sessions_per_key',
  maxStreams: 'mcp.max_streams',
  maxStreamsPerKey: 'mcp.max_streams_per_key',
  maxCalls: 'mcp.max_calls',
  maxCallsPerKey: 'mcp.max_calls_per_key',
  maxResultBytes: 'mcp.max_result_bytes',
} as const satisfies Partial<Record<keyof EndpointLimits, PlainKey>>;

/** The share of the open files that streams may take. */
const STREAMS_OF_FILES = 0.75;

/** The limits of the endpoint: constants and current settings. Cached until a setting changes. */
@Injectable()
export class EndpointLimitsService {
  private limits: EndpointLimits | null = null; // null = not computed yet
  /** Each stream takes an open file. The others are for requests, which would be reset otherwise. */
  private readonly mostStreams = Math.floor(readOpenFilesLimit() * STREAMS_OF_FILES);

  constructor(
    private readonly settings: SettingsService,
    private readonly environment: Environment,
    private readonly clients: ClientsService,
    private readonly tools: ToolLimitsService,
    private readonly events: EventBus,
  ) {
    events.on('setting.changed', () => (this.limits = null));
  }

  current(): EndpointLimits {
    return (this.limits ??= {
      ...FIXED_LIMITS,
      ...this.numbers(),
      allowedOrigins: [...this.settings.get('mcp.allowed_origins'), ...this.publicUrls().map((url) => url.origin)],
      allowedHosts: publishedHostsOf(this.environment),
    });
  }

  quotaOf(client: string): ClientQuota {
    return this.clients.limitsOf(client);
  }

  ownResultOf(tool: string): number | null {
    return this.tools.ownResultOf(tool);
  }

  exceeded(limit: ExceededLimit): void {
    this.events.emit('limit.exceeded', limit);
  }

  private numbers() {
    const limits = Object.entries(SETTING_OF).map(([limit, key]) => [limit, this.settings.get(key)]);
    const { maxStreams, ...others } = Object.fromEntries(limits) as Record<keyof typeof SETTING_OF, number>;
    return { ...others, maxStreams: Math.min(maxStreams, this.mostStreams) };
  }

  private publicUrls(): URL[] {
    return this.environment.PUBLIC_URL ? [new URL(this.environment.PUBLIC_URL)] : [];
  }
}

/** For data that changes only with a new version of the service: clients may cache it for a while. */
const STATIC_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;
/** For data that may change at any moment: listening clients are notified, others must request it again. */
const DYNAMIC_HINT = { ttlMs: 0, cacheScope: 'private' } as const;

/** The MCP server as its clients see it: its identity, capabilities and handlers. */
@Injectable()
export class McpProtocol implements EndpointProtocol<Client> {
  readonly serverInfo: Implementation = { name: 'agent-service', title: 'Agent Service', version: VERSION };

  readonly serverOptions: ServerOptions = {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
      extensions: { [SKILLS_EXTENSION]: { directoryRead: true } },
    },
    instructions: INSTRUCTIONS,
    cacheHints: {
      'server/discover': STATIC_HINT,
      'resources/templates/list': STATIC_HINT,
      'tools/list': DYNAMIC_HINT,
      'prompts/list': DYNAMIC_HINT,
      'resources/list': DYNAMIC_HINT,
      'resources/read': DYNAMIC_HINT,
    },
    requestState: { verify: (sealed, ctx) => this.inputRequests.verify(sealed, ctx) },
  };

  constructor(
    private readonly capabilities: Capabilities,
    private readonly inputRequests: InputRequests,
  ) {}

  register(server: Server, subscriptions: ResourceSubscriptions | null, method?: string): void {
    this.capabilities.register({ server, subscriptions }, method);
  }

  /** Returns the instructions: the skills that the client may read, as far as there is room, and what else the service offers. */
  instructionsFor(client: Client): string {
    const skills = this.capabilities.skillPackages.instructionsFor(client, ROOM_FOR_PACKAGES);
    return skills === '' ? INSTRUCTIONS : `${skills}\n\n${INSTRUCTIONS}`;
  }

  get tasks(): TasksCapability {
    return this.capabilities.tasks;
  }

  headerParameters(toolName: string): readonly HeaderParameter[] {
    return this.capabilities.tools.headerParameters(toolName);
  }

  mayWatch(client: Client, uri: string): boolean {
    return this.capabilities.resources.mayWatch(client, uri);
  }

  canonicalUri(uri: string): string {
    return this.capabilities.resources.canonicalUri(uri);
  }
}

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
      onExceeded: (limit) => limits.exceeded(limit),
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

  /** Logs it at most once a minute: every call would cause the same message. */
  private storageFailed(error: unknown, nowMs: number): void {
    if (nowMs - this.storageFailedAtMs < STORAGE_LOG_EVERY_MS) return;
    this.storageFailedAtMs = nowMs;
    this.logger.warn(
      { err: error },
      'Sessions and streams could not be recorded. Requests are answered, but clients may miss changes after a restart',
    );
  }
}

function withSource({ origin = UNKNOWN_ORIGIN, ...client }: Client, { program, sessionId }: RequestSource): Client {
  const { name: programName, version: programVersion, protocolVersion } = program;
  const shown = origin.programProven ? origin.program : programName;
  return { ...client, origin: { ...origin, program: shown, programVersion, protocolVersion, sessionId } };
}
