import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JsonObject as StoredObject } from '#open-workflow';
import type { Client, JsonObject, SkillDefinition, SkillOutput } from '#skill-kit';
import type { CallContext, LongCalls } from '../../../core/skills/skill-call.js';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { objectOf } from '../runs/run.js';
import { RunsService } from '../runs/runs.service.js';
import { RunCaller } from './run-caller.service.js';

/** Turns each call of a long skill into a durable run of one step. */
@Injectable()
export class LongSkills implements LongCalls, OnModuleInit {
  private readonly logger = new Logger(LongSkills.name);

  constructor(
    private readonly skills: SkillsService,
    private readonly caller: RunCaller,
    private readonly runs: RunsService,
    private readonly events: EventBus,
  ) {}

  onModuleInit(): void {
    this.skills.runLongCallsBy(this);
    this.events.on('run.ended', ({ id, status }) => {
      if (status === 'cancelled') this.reportCancelled(id).catch((error: unknown) => this.logger.error(error));
    });
  }

  run(client: Client, skill: SkillDefinition, args: JsonObject, context: CallContext): Promise<SkillOutput> {
    const run = {
      program: 'skill',
      name: skill.name,
      version: null,
      input: args as StoredObject,
      origin: 'call',
      client,
      idempotencyKey: null,
      isTest: false,
      depth: context.depth,
    } as const;
    return this.caller.call({ run, isBackground: false, tasks: [] }, context);
  }

  /** Reports a call that was cancelled while it waited for a person: no step of its run has reported it. */
  private async reportCancelled(id: string): Promise<void> {
    const { program, name, client, input, createdAt } = await this.runs.get(id);
    if (program !== 'skill') return;
    const steps = await this.runs.steps(id, { longest: 0 });
    const wasAsking = steps.some(({ kind, status }) => kind === 'question' && status === 'cancelled');
    if (wasAsking) this.skills.reportCancelled({ name: client, groups: [] }, name, objectOf(input) ?? {}, createdAt);
  }
}
