import type { Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { ResourceSubscriptions } from '#mcp-http';
import type { Capability } from './capability.js';
import { CompletionsCapability } from './completions.capability.js';
import { PromptsCapability } from './prompts.capability.js';
import { ResourcesCapability } from './resources.capability.js';
import { SkillPackagesCapability } from './skill-packages.capability.js';
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
    readonly skillPackages: SkillPackagesCapability,
  ) {}

  register(server: Server, subscriptions: ResourceSubscriptions | null): void {
    const { tools, resources, prompts, completions, tasks, skillPackages } = this;
    const all: Capability[] = [tools, resources, prompts, completions, tasks, skillPackages];
    for (const capability of all) capability.register(server, subscriptions);
  }
}
