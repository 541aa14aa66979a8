import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { ClientsService } from '../clients/clients.service.js';
import type { ListName } from '../events/app-events.js';
import { EventBus } from '../events/event-bus.service.js';
import { PolicyService } from '../policy/policy.service.js';
import { PromptsService } from '../skills/prompts.service.js';
import { SkillsService } from '../skills/skills.service.js';

const ALL_LISTS: readonly ListName[] = ['tools', 'prompts', 'resources'];

/** Finds out, after policies have changed, which lists of which clients have other entries. */
@Injectable()
export class PolicyChanges implements OnApplicationBootstrap {
  private readonly logger = new Logger(PolicyChanges.name);
  private comparing: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: EventBus,
    private readonly policy: PolicyService,
    private readonly clients: ClientsService,
    private readonly skills: SkillsService,
    private readonly prompts: PromptsService,
  ) {}

  onApplicationBootstrap(): void {
    this.events.on('policies.changed', ({ isFromElsewhere }) => {
      // The replica that made the change tells the clients of all replicas.
      if (isFromElsewhere) return;
      this.comparing = this.comparing.then(() => this.compare()).catch((error: unknown) => this.logger.error(error));
    });
  }

  private async compare(): Promise<void> {
    for (const client of this.clients.all()) {
      const lists = this.policy.tellsProgramsApart() ? ALL_LISTS : this.otherListsOf(client);
      if (lists.length > 0) this.events.emit('lists.changed', { client: client.name, lists });
      // Each client takes a moment, and calls go on meanwhile.
      await nextTurn();
    }
  }

  private otherListsOf(client: Client): ListName[] {
    return [
      ...(this.skills.hasOtherList(client) ? (['tools'] as const) : []),
      ...(this.prompts.hasOtherList(client) ? (['prompts'] as const) : []),
      ...(this.policy.hasOtherReads(client) ? (['resources'] as const) : []),
    ];
  }
}
