import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import { SkillCatalogue } from '../../core/skills/skill-catalogue.service.js';
import { SkillRegistry } from '../../core/skills/skill.registry.js';

const FACT = 'mcp.tool_set';

/** Stores the set of offered tools, so that clients are notified of the tools of a new version of the service. */
@Injectable()
export class ToolSet {
  constructor(
    private readonly registry: SkillRegistry,
    private readonly catalogue: SkillCatalogue,
    private readonly facts: KeyValueStore,
  ) {}

  /** Returns whether the tools differ from the stored set, and stores the current ones. The first set is not a change. */
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
      .map(({ name, title, description, inputSchema, outputSchema, annotations, meta }) => [
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations,
        meta,
      ]);
    return createHash('sha256').update(JSON.stringify(tools)).digest('hex');
  }
}
