import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SettingsService } from '../../platform/config/settings.service.js';
import { ReplicaChannel, type ReplicaTopic } from '../../platform/database/replica-channel.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SkillCatalogue } from '../../core/skills/skill-catalogue.service.js';
import { McpTransport } from './mcp-transport.provider.js';
import { ReplicaRelay } from './replica-relay.service.js';

/** Keeps this replica in sync with the others: each notifies the others where it changed something, and they read it again. */
@Injectable()
export class ReplicaSync implements OnApplicationBootstrap {
  private readonly logger = new Logger(ReplicaSync.name);

  constructor(
    private readonly channel: ReplicaChannel,
    private readonly events: EventBus,
    private readonly settings: SettingsService,
    private readonly skills: SkillCatalogue,
    private readonly transport: McpTransport,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { channel, events } = this;
    events.on('setting.changed', ({ isFromElsewhere }) => {
      if (!isFromElsewhere) this.notify('settings');
    });
    events.on('skills.changed', ({ isFromElsewhere }) => {
      if (!isFromElsewhere) this.notify('skills');
    });
    events.on('skill.limits_changed', () => this.notify('skills'));

    channel.on('settings', () => this.settings.reload());
    channel.on('skills', () => this.skills.reload());
    channel.on('changes', () => this.transport.endpoint.follow());
    await channel.open();
  }

  private notify(topic: ReplicaTopic): void {
    this.channel.notify(topic).catch((error: unknown) => this.logger.error(error));
  }
}

/** Passes the notifications of other replicas about sessions and calls to the endpoint. */
@Injectable()
export class RelayListener {
  constructor(
    channel: ReplicaChannel,
    private readonly relay: ReplicaRelay,
    private readonly transport: McpTransport,
  ) {
    channel.on('relay', (detail) => (detail === null ? this.catchUp() : this.receive(detail)));
  }

  private async receive(detail: string): Promise<void> {
    const news = await this.relay.read(detail);
    if (news) await this.transport.endpoint.receive(news);
  }

  /** Processes messages that may have been missed. Repeated messages have no effect. */
  private async catchUp(): Promise<void> {
    await this.transport.endpoint.receive(null);
    for (const news of await this.relay.latest()) await this.transport.endpoint.receive(news);
  }
}
