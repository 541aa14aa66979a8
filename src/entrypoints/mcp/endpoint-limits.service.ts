import { Injectable } from '@nestjs/common';
import { type ClientQuota, type EndpointLimits, FIXED_LIMITS } from '#mcp-http';
import { ClientsService } from '../../access/clients/clients.service.js';
import { SettingsService } from '../../platform/config/settings.service.js';
import { Environment, publishedHostsOf } from '../../platform/environment/environment.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { ToolLimitsService } from '../../core/skills/skill-catalogue.service.js';
import type { PlainKey } from '../../platform/settings/settings.schema.js';

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

/** The limits of the endpoint: fixed ones, and those of the settings as they are now. They are worked out again only when a setting changes. */
@Injectable()
export class EndpointLimitsService {
  private limits: EndpointLimits | null = null; // null = to be worked out

  constructor(
    private readonly settings: SettingsService,
    private readonly environment: Environment,
    private readonly clients: ClientsService,
    private readonly tools: ToolLimitsService,
    events: EventBus,
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

  /** Returns the limits that a client has of its own. */
  quotaOf(client: string): ClientQuota {
    return this.clients.limitsOf(client);
  }

  /** Returns how large a result of the tool may be when it has a limit of its own; else null. */
  ownResultOf(tool: string): number | null {
    return this.tools.ownResultOf(tool);
  }

  private numbers() {
    const limits = Object.entries(SETTING_OF).map(([limit, key]) => [limit, this.settings.get(key)]);
    return Object.fromEntries(limits) as Record<keyof typeof SETTING_OF, number>;
  }

  private publicUrls(): URL[] {
    return this.environment.PUBLIC_URL ? [new URL(this.environment.PUBLIC_URL)] : [];
  }
}
