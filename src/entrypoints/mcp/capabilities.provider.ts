import { Injectable } from '@nestjs/common';
import { eraOf, type RequestHandler, type Served } from './capability.js';
import { CompletionsCapability } from './completions.capability.js';
import { PromptsCapability } from './prompts.capability.js';
import { ResourcesCapability } from './resources.capability.js';
import { SkillPackagesCapability } from './skill-packages.capability.js';
import { TasksCapability } from './tasks.capability.js';
import { ToolsCapability } from './tools.capability.js';

@Injectable()
export class Capabilities {
  private readonly handlers: readonly RequestHandler[];

  constructor(
    readonly tools: ToolsCapability,
    readonly resources: ResourcesCapability,
    readonly prompts: PromptsCapability,
    readonly completions: CompletionsCapability,
    readonly tasks: TasksCapability,
    readonly skillPackages: SkillPackagesCapability,
  ) {
    const all = [tools, resources, prompts, completions, tasks, skillPackages];
    this.handlers = all.flatMap(({ handlers }) => handlers);
  }

  /** @param method the only one to register; by default, all methods of the server's era */
  register(served: Served, method?: string): void {
    for (const handler of this.handlers) {
      if (method !== undefined && handler.method !== method) continue;
      if (handler.era === null || handler.era === eraOf(served)) handler.register(served);
    }
  }
}
