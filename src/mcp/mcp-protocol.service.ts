import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { EndpointProtocol, HeaderParameter, ResourceSubscriptions } from '#mcp-http';
import type { Client } from '#skill-kit';
import { VERSION } from '../service-info/version.js';
import { Capabilities } from './capabilities.provider.js';
import { InputRequests } from './input-requests.service.js';
import type { TasksCapability } from './tasks.capability.js';

/** For what changes only with a new version of the service: clients may keep it for a while. */
const STATIC_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;
/** For what may change at any moment: clients that listen are told, the others must ask again. */
const DYNAMIC_HINT = { ttlMs: 0, cacheScope: 'private' } as const;

/** The MCP server as its clients see it: who it is, what it can do, and the handlers. */
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
    },
    instructions:
      "Agent Service gives you this team's skills as tools and its data as resources. Call system_info to check the " +
      'connection. Read any resource with resource_read if you cannot read MCP resources yourself.',
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

  register(server: Server, subscriptions: ResourceSubscriptions | null): void {
    this.capabilities.register(server, subscriptions);
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
