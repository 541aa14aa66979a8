import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import { SkillCatalogue } from '../../core/skills/skill-catalogue.service.js';
import { SkillRegistry } from '../../core/skills/skill.registry.js';

const FACT = 'mcp.tool_set';

/** Remembers which tools were offered, so that clients hear of the tools that a new version of the service brings. */
@Injectable()
export class ToolSet {
  constructor(
    private readonly registry: SkillRegistry,
    private readonly catalogue: SkillCatalogue,
    private readonly facts: KeyValueStore,
  ) {}

  /** Returns whether the tools differ from those it remembers, and remembers those of now. The very first are no change. */
  async changedSinceRemembered(): Promise<boolean> {
    const [before, now] = [await this.facts.find(FACT), this.fingerprint()];
    if (before === now) return false;
    await this.facts.save(FACT, now);
    return before !== undefined;
  }

  private fingerprint(): string {
    const tools = this.registry
      .list()
      .filter(({ name }) => this.catalogue.isEnabled(name))
      .map(({ name, description, inputSchema, outputSchema }) => [name, description, inputSchema, outputSchema]);
    return createHash('sha256').update(JSON.stringify(tools)).digest('hex');
  }
}
