import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { ClientsService } from '../../access/clients/clients.service.js';
import type { ListName } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { PolicyService } from '../../access/policy/policy.service.js';
import { PromptsService } from '../../core/skills/prompts.service.js';
import { SkillsService } from '../../core/skills/skills.service.js';

const ALL_LISTS: readonly ListName[] = ['tools', 'prompts', 'resources'];

/** Finds the clients whose lists have changed after a change of policies or groups. */
@Injectable()
export class PolicyChanges implements OnApplicationBootstrap {
  private readonly logger = new Logger(PolicyChanges.name);
  private comparing: Promise<void> = Promise.resolve();
  /** The groups of each client at the last comparison. */
  private groups = new Map<string, string>();

  constructor(
    private readonly events: EventBus,
    private readonly policy: PolicyService,
    private readonly clients: ClientsService,
    private readonly skills: SkillsService,
    private readonly prompts: PromptsService,
  ) {}

  onApplicationBootstrap(): void {
    this.groups = this.groupsNow();
    this.events.on('clients.changed', ({ isFromElsewhere }) => this.compareGroups(isFromElsewhere ?? false));
    this.events.on('policies.changed', ({ isFromElsewhere }) => {
      // The replica that made the change notifies the clients of all replicas.
      if (isFromElsewhere) return;
      this.comparing = this.comparing.then(() => this.compare()).catch((error: unknown) => this.logger.error(error));
    });
  }

  /** A change of groups may change all lists of a client. */
  private compareGroups(isFromElsewhere: boolean): void {
    const [before, now] = [this.groups, this.groupsNow()];
    this.groups = now;
    if (isFromElsewhere) return;
    for (const [client, groups] of now) {
      if ((before.get(client) ?? groups) !== groups) this.events.emit('lists.changed', { client, lists: ALL_LISTS });
    }
  }

  private groupsNow(): Map<string, string> {
    return new Map(this.clients.all().map(({ name, groups }) => [name, groups.join(' ')]));
  }

  private async compare(): Promise<void> {
    for (const client of this.clients.all()) {
      const lists = this.policy.distinguishesPrograms() ? ALL_LISTS : this.otherListsOf(client);
      if (lists.length > 0) this.events.emit('lists.changed', { client: client.name, lists });
      // Yields between clients, so that calls continue meanwhile.
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
