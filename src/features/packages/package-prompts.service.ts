import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { text } from '#skill-kit';
import { type PromptDefinition, PromptRegistry } from '../../core/skills/prompt.registry.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { promptText } from './files/package-text.rules.js';
import { factsOf } from './files/skill-file.rules.js';
import type { SkillPackage } from './files/package.js';
import { SkillPackages } from './skill-packages.service.js';
import { uriOfPackage } from './skill-packages.provider.js';

/** Offers each package as a prompt of the same name, which most clients show as a slash command. */
@Injectable()
export class PackagePrompts implements OnModuleInit {
  private readonly logger = new Logger(PackagePrompts.name);
  private readonly offered = new Map<string, SkillPackage>();

  constructor(
    private readonly packages: SkillPackages,
    private readonly registry: PromptRegistry,
    private readonly events: EventBus,
  ) {}

  onModuleInit(): void {
    this.events.on('packages.changed', ({ isFromElsewhere = false }) => this.offer(isFromElsewhere));
    if (this.packages.listEnabled().length > 0) this.offer(true);
  }

  private offer(isFromElsewhere: boolean): void {
    const current = new Map(this.packages.listEnabled().map((one) => [one.name, one]));
    const removed = [...this.offered.values()].filter((one) => current.get(one.name) !== one).map(({ name }) => name);
    for (const name of removed) this.offered.delete(name);
    const added = [...current.values()].filter(({ name }) => !this.offered.has(name));
    if (removed.length === 0 && added.length === 0) return;
    const refused = this.registry.replace({ removed, added: added.map((one) => this.promptOf(one)), isFromElsewhere });
    for (const one of added) if (!refused.includes(one.name)) this.offered.set(one.name, one);
    for (const name of refused) this.logger.warn(`skill package ${name} is no prompt: another prompt has the name`);
  }

  private promptOf(one: SkillPackage): PromptDefinition {
    const { name, frontmatter } = one;
    const declared = factsOf(frontmatter).arguments;
    const known = new Set(declared.map((argument) => argument.name));
    return {
      name,
      description: frontmatter.description,
      ...(declared.length > 0 && { arguments: declared }),
      uri: uriOfPackage(one),
      get: async (args) => {
        const given = Object.fromEntries(Object.entries(args).filter(([key]) => known.has(key)));
        const content = text(promptText(one, await this.packages.instructionsOf(one), given));
        return [{ role: 'user', content }];
      },
    };
  }
}
