import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { EndpointProtocol, HeaderParameter, ResourceSubscriptions } from '#mcp-http';
import type { Client } from '#skill-kit';
import { VERSION } from '../service-info/version.js';
import type { Capability } from './capability.js';
import { CompletionsCapability } from './completions.capability.js';
import { InputRequests } from './input-requests.service.js';
import { PromptsCapability } from './prompts.capability.js';
import { ResourcesCapability } from './resources.capability.js';
import { ToolsCapability } from './tools.capability.js';

/** For what changes only with a new version of the service: clients may keep it for a while. */
const STATIC_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;
/** For what may change at any moment: clients that listen are told, the others must ask again. */
const DYNAMIC_HINT = { ttlMs: 0, cacheScope: 'private' } as const;

/** The MCP server as its clients see it: who it is, what it can do, and the handlers. */
@Injectable()
export class McpProtocol implements EndpointProtocol<Client> {
  readonly serverInfo: Implementation = { name: 'agent-service', title: 'Agent Service', version: VERSION };

  readonly tasks = null;

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
    private readonly tools: ToolsCapability,
    private readonly resources: ResourcesCapability,
    private readonly prompts: PromptsCapability,
    private readonly completions: CompletionsCapability,
    private readonly inputRequests: InputRequests,
  ) {}

  register(server: Server, subscriptions: ResourceSubscriptions | null): void {
    const capabilities: Capability[] = [this.tools, this.resources, this.prompts, this.completions];
    for (const capability of capabilities) capability.register(server, subscriptions);
  }

  headerParameters(toolName: string): readonly HeaderParameter[] {
    return this.tools.headerParameters(toolName);
  }

  mayWatch(client: Client, uri: string): boolean {
    return this.resources.mayWatch(client, uri);
  }
}
