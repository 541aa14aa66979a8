import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { WorkflowDefinition } from '#open-workflow';
import { EventBus } from '../../../../platform/events/event-bus.service.js';
import { WorkflowDefinitions } from '../../definitions/workflow-definitions.service.js';

/** Caches the workflows that events start: reading all definitions for each event would take too long. */
@Injectable()
export class EventWorkflows implements OnModuleInit {
  private current: Promise<WorkflowDefinition[]> | null = null; // null = must be read

  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly events: EventBus,
  ) {}

  onModuleInit(): void {
    this.events.on('workflows.changed', () => {
      this.current = null;
    });
  }

  list(): Promise<WorkflowDefinition[]> {
    this.current ??= this.read().catch((error: unknown) => {
      this.current = null;
      throw error;
    });
    return this.current;
  }

  private async read(): Promise<WorkflowDefinition[]> {
    return (await this.definitions.listEnabled()).filter(({ schedule }) => schedule?.on !== undefined);
  }
}
