import { Injectable } from '@nestjs/common';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { PolicyService } from '../../../access/policy/policy.service.js';
import { SkillCatalogue } from '../../../core/skills/skill-catalogue.service.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { AdminClients } from './admin-clients.service.js';
import type { ClientToolView } from './clients.schema.js';

/** Says what the policies let a client do with each tool. */
@Injectable()
export class ClientTools {
  constructor(
    private readonly clients: AdminClients,
    private readonly skills: SkillRegistry,
    private readonly catalogue: SkillCatalogue,
    private readonly policies: PolicyService,
  ) {}

  /** Returns the enabled tools in alphabetical order, as for the program that the client used last. @throws ClientNotFound */
  async list(name: string): Promise<ClientToolView[]> {
    const { groups, lastProgram } = await this.clients.get(name);
    const client: Client = { name, groups, origin: { ...UNKNOWN_ORIGIN, program: lastProgram } };
    return this.skills
      .list()
      .filter((skill) => this.catalogue.isEnabled(skill.name))
      .map((tool) => {
        const { use, policies } = this.policies.outlook(client, { action: 'callTool', tool });
        return { name: tool.name, title: tool.title ?? null, use, policies: [...policies] };
      });
  }
}
