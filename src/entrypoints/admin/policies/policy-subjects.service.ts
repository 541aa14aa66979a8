import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#skill-kit';
import type { PolicyAction, PolicySubject, ToolSubject } from '../../../access/policy/policy-request.js';
import { ResourceRouter } from '../../../core/resources/resource.router.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';

/** What policies decide about. */
@Injectable()
export class PolicySubjects {
  constructor(
    private readonly skills: SkillRegistry,
    private readonly resources: ResourceRouter,
  ) {}

  /** @param resource name of the tool or prompt, or URI of the resource; it need not exist */
  of(action: PolicyAction, resource: string, args: JsonObject): PolicySubject {
    switch (action) {
      case 'readResource':
        return { action, uri: this.resources.canonical(resource) ?? resource };
      case 'getPrompt':
        return { action, prompt: resource };
      case 'callTool':
        return { action, ...this.callOf(resource, args) };
    }
  }

  private callOf(name: string, args: JsonObject): { tool: ToolSubject; arguments: object } {
    const skill = this.skills.find(name);
    if (!skill) return { tool: { name, kind: 'code', tags: [], inputSchema: {} }, arguments: args };
    // Policies see the arguments as the tool gets them.
    const parsed = skill.parse(args);
    return { tool: skill, arguments: 'input' in parsed ? parsed.input : args };
  }
}
