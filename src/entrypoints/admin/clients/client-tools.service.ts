import { Injectable } from '@nestjs/common';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { ClientsService } from '../../../access/clients/clients.service.js';
import { PolicyService } from '../../../access/policy/policy.service.js';
import { SkillCatalogue } from '../../../core/skills/skill-catalogue.service.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { AdminClients } from './admin-clients.service.js';
import type { ClientToolView } from './clients.schema.js';

/** Reports what the policies let a client do with each tool. */
@Injectable()
export class ClientTools {
  constructor(
    private readonly clients: AdminClients,
    private readonly callers: ClientsService,
    private readonly skills: SkillRegistry,
    private readonly catalogue: SkillCatalogue,
    private readonly policies: PolicyService,
  ) {}

  /** Returns the enabled tools in alphabetical order, evaluated for the program that the client last used. @throws ClientNotFound */
  async list(name: string): Promise<ClientToolView[]> {
    const { groups, lastProgram } = await this.clients.get(name);
    return this.toolsOf({ name, groups, origin: { ...UNKNOWN_ORIGIN, program: lastProgram } });
  }

  /** Returns the tools that a person may use through a program. @param proven the verified host of the program; null = unknown */
  listOf(person: string, proven: string | null): ClientToolView[] {
    const groups = this.callers.find(person)?.groups ?? [];
    const origin = { ...UNKNOWN_ORIGIN, program: proven, programProven: proven !== null };
    return this.toolsOf({ name: person, groups, origin });
  }

  private toolsOf(client: Client): ClientToolView[] {
    return this.skills
      .list()
      .filter((skill) => this.catalogue.isEnabled(skill.name))
      .map((tool) => {
        const { use, policies } = this.policies.outlook(client, { action: 'callTool', tool });
        return { name: tool.name, title: tool.title ?? null, use, policies: [...policies] };
      });
  }
}
