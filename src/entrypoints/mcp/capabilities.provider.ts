import type { Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { ResourceSubscriptions } from '#mcp-http';
import type { Capability } from './capability.js';
import { CompletionsCapability } from './completions.capability.js';
import { PromptsCapability } from './prompts.capability.js';
import { ResourcesCapability } from './resources.capability.js';
import { TasksCapability } from './tasks.capability.js';
import { ToolsCapability } from './tools.capability.js';

/** All that the MCP server can do. */
@Injectable()
export class Capabilities implements Capability {
  constructor(
    readonly tools: ToolsCapability,
    readonly resources: ResourcesCapability,
    readonly prompts: PromptsCapability,
    readonly completions: CompletionsCapability,
    readonly tasks: TasksCapability,
  ) {}

  register(server: Server, subscriptions: ResourceSubscriptions | null): void {
    const all: Capability[] = [this.tools, this.resources, this.prompts, this.completions, this.tasks];
    for (const capability of all) capability.register(server, subscriptions);
  }
}
