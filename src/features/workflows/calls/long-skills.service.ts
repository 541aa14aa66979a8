import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JsonObject as StoredObject } from '#open-workflow';
import type { Client, JsonObject, SkillDefinition, SkillOutput } from '#skill-kit';
import type { CallContext, LongCalls } from '../../../core/skills/skill-call.js';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { RunCaller } from './run-caller.service.js';

/** Makes each call of a long skill a durable run of one step. */
@Injectable()
export class LongSkills implements LongCalls, OnModuleInit {
  constructor(
    private readonly skills: SkillsService,
    private readonly caller: RunCaller,
  ) {}

  onModuleInit(): void {
    this.skills.runLongCallsBy(this);
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
}
