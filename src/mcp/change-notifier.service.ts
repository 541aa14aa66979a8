import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ChangeEvent } from '#mcp-http';
import { ReplicaChannel } from '../database/replica-channel.service.js';
import { EventBus } from '../events/event-bus.service.js';
import { McpTransport } from './mcp-transport.provider.js';
import { ToolSet } from './tool-set.service.js';

/** Changes that come closer together than this are told as one. */
const DEBOUNCE_MS = 50;

/** Tells connected clients what internal events mean for them. */
@Injectable()
export class ChangeNotifier implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ChangeNotifier.name);
  private readonly waiting = new Map<string, ChangeEvent>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly events: EventBus,
    private readonly transport: McpTransport,
    private readonly tools: ToolSet,
    private readonly replicas: ReplicaChannel,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { endpoint } = this.transport;
    this.events.on('skills.changed', ({ isFromElsewhere }) => {
      if (!isFromElsewhere) this.announce({ kind: 'tools_list_changed' });
    });
    this.events.on('prompts.changed', () => this.announce({ kind: 'prompts_list_changed' }));
    this.events.on('resources.changed', () => this.announce({ kind: 'resources_list_changed' }));
    this.events.on('resource.updated', ({ uri }) => this.announce({ kind: 'resource_updated', uri }));
    this.events.on('client.revoked', ({ client }) => endpoint.cutOff(client));
    this.events.on(
      'session.ended',
      ({ id }) => void endpoint.endSession(id).catch((error) => this.logger.error(error)),
    );
    if (await this.tools.changedSinceRemembered()) this.announce({ kind: 'tools_list_changed' });
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
  }

  /** Has a change told to every client that wants to know, together with what else changes now. */
  announce(event: ChangeEvent): void {
    this.waiting.set(JSON.stringify(event), event);
    this.timer ??= setTimeout(() => void this.flush(), DEBOUNCE_MS);
  }

  private async flush(): Promise<void> {
    this.timer = null;
    const events = [...this.waiting.values()];
    this.waiting.clear();
    if (events.some(({ kind }) => kind === 'tools_list_changed')) await this.tools.changedSinceRemembered();
    for (const event of events) {
      await this.transport.endpoint.publish(event).catch((error: unknown) => this.logger.error(error));
    }
    if (events.length > 0) await this.replicas.tell('changes');
  }
}
