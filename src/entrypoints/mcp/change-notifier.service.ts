import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { ChangeEvent } from '#mcp-http';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { McpTransport } from './mcp-transport.provider.js';
import { ToolSet } from './tool-set.service.js';

/** How long changes are gathered before clients are notified. */
const DEBOUNCE_MS = 50;
/** The shortest and the longest delay before retrying to record changes. */
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [250, 5_000];
/** Maximum number of waiting changes. For further resources and tasks, clients are only notified that some have changed. */
const MOST_WAITING = 10_000;

/** Notifies connected clients of the changes that internal events report. */
@Injectable()
export class ChangeNotifier implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ChangeNotifier.name);
  private readonly waiting = new Map<string, ChangeEvent>();
  /** Before the start and from the shutdown on, changes are only kept. */
  private isRunning = false;
  private timer: NodeJS.Timeout | null = null; // null = no timer is set
  private retryMs = FIRST_RETRY_MS;
  private publishing: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: EventBus,
    private readonly transport: McpTransport,
    private readonly tools: ToolSet,
    private readonly replicas: ReplicaChannel,
  ) {}

  /** Other modules read their folders before this one starts: clients are notified of what changed there meanwhile. */
  onModuleInit(): void {
    this.events.on('resources.changed', () => this.announce({ kind: 'resources_list_changed' }));
    this.events.on('resource.updated', ({ uri }) => this.announce({ kind: 'resource_updated', uri }));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { endpoint } = this.transport;
    this.events.on('skills.changed', ({ isFromElsewhere }) => {
      if (!isFromElsewhere) this.announce({ kind: 'tools_list_changed' });
    });
    this.events.on('prompts.changed', ({ isFromElsewhere }) => {
      if (!isFromElsewhere) this.announce({ kind: 'prompts_list_changed' });
    });
    this.events.on('run.changed', ({ id }) => this.announce({ kind: 'task_changed', taskId: id }));
    this.events.on('lists.changed', ({ client, lists }) => {
      for (const list of lists) this.announce({ kind: `${list}_list_changed`, client });
    });
    for (const change of ['policies.changed', 'clients.changed'] as const)
      this.events.on(change, () => {
        endpoint.endForbidden().catch((error: unknown) => this.logger.error(error));
      });
    this.events.on('client.revoked', (key) => endpoint.revoke(key));
    this.events.on('session.ended', ({ id }) => {
      endpoint.endSession(id).catch((error: unknown) => this.logger.error(error));
    });
    if (await this.tools.changedSinceRemembered()) this.announce({ kind: 'tools_list_changed' });
    this.isRunning = true;
    if (this.waiting.size > 0) this.plan(DEBOUNCE_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isRunning = false;
    if (this.timer) clearTimeout(this.timer);
    await this.publishing;
    const events = this.takeWaiting();
    await this.publish(events).catch((error: unknown) =>
      this.logger.error(
        `clients are not notified of ${events.length} changes, which could not be recorded: ${String(error)}`,
      ),
    );
  }

  /** Schedules a notification of clients about a change, batched with other recent changes. */
  announce(event: ChangeEvent): void {
    const queued = this.waiting.size < MOST_WAITING ? event : withoutSubject(event);
    this.waiting.set(JSON.stringify(queued), queued);
    this.plan(DEBOUNCE_MS);
  }

  private plan(delayMs: number): void {
    if (!this.isRunning) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.publishing = this.publishing.then(() => this.publishOrRetry());
    }, delayMs);
  }

  /** Notifies clients of the waiting changes. Never rejects: changes that cannot be recorded now are kept and retried. */
  private async publishOrRetry(): Promise<void> {
    const events = this.takeWaiting();
    try {
      await this.publish(events);
      this.retryMs = FIRST_RETRY_MS;
    } catch (error) {
      if (this.retryMs === FIRST_RETRY_MS)
        this.logger.warn(`could not record changes; clients will be notified later: ${String(error)}`);
      for (const event of events) this.waiting.set(JSON.stringify(event), event);
      this.plan(this.retryMs);
      this.retryMs = Math.min(2 * this.retryMs, LONGEST_RETRY_MS);
    }
  }

  private takeWaiting(): ChangeEvent[] {
    const events = [...this.waiting.values()];
    this.waiting.clear();
    return events;
  }

  private async publish(events: readonly ChangeEvent[]): Promise<void> {
    if (events.length === 0) return;
    if (events.some(({ kind }) => kind === 'tools_list_changed')) await this.tools.changedSinceRemembered();
    await this.transport.endpoint.publish(...events);
    await this.replicas.notify('changes');
  }
}

function withoutSubject(event: ChangeEvent): ChangeEvent {
  switch (event.kind) {
    case 'resource_updated':
      return { kind: 'resources_list_changed' };
    case 'task_changed':
      return { kind: 'task_changed', taskId: null };
    default:
      return event;
  }
}
