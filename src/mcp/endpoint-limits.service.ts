import { Injectable } from '@nestjs/common';
import type { EndpointLimits } from '#mcp-http';
import { Environment } from '../config/environment.js';
import { publishedHostsOf } from '../config/published-hosts.rules.js';
import { SettingsService } from '../config/settings.service.js';
import { EventBus } from '../events/event-bus.service.js';

/** The limits of the endpoint by the settings as they are now; worked out again only when one changes. */
@Injectable()
export class EndpointLimitsService {
  private limits: EndpointLimits | null = null; // null = to be worked out

  constructor(
    private readonly settings: SettingsService,
    private readonly environment: Environment,
    events: EventBus,
  ) {
    events.on('setting.changed', () => (this.limits = null));
  }

  current(): EndpointLimits {
    return (this.limits ??= {
      maxBodyBytes: this.settings.get('mcp.max_body_bytes'),
      sessionIdleMs: this.settings.get('mcp.session_idle_ms'),
      allowedOrigins: [...this.settings.get('mcp.allowed_origins'), ...this.publicUrls().map((url) => url.origin)],
      allowedHosts: publishedHostsOf(this.environment),
    });
  }

  private publicUrls(): URL[] {
    return this.environment.PUBLIC_URL ? [new URL(this.environment.PUBLIC_URL)] : [];
  }
}
