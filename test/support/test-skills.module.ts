import { setTimeout } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { IsInt, IsString, Max, Min } from 'class-validator';
import { elicit, inputRequired, Skill, type SkillContext, type SkillHandler, type SkillOutput } from '#skill-kit';
import { registersSkills } from '../../src/core/skills/skill.registry.js';
import { SkillsModule } from '../../src/core/skills/skills.module.js';

class EchoInput {
  @IsString() text!: string;
}

class StepsInput {
  @IsInt() @Min(1) @Max(10) steps!: number;
}

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

@Skill({ name: 'echo', description: 'Use this to hear what you said.', input: EchoInput, annotations: READ_ONLY })
class Echo implements SkillHandler<EchoInput> {
  execute({ text }: EchoInput): string {
    return text;
  }
}

@Skill({ name: 'explode', description: 'Use this to see a failure.', annotations: READ_ONLY })
class Explode implements SkillHandler {
  execute(): string {
    throw new Error('the fuse was lit');
  }
}

@Skill({ name: 'count', description: 'Use this to see progress.', input: StepsInput, annotations: READ_ONLY })
class Count implements SkillHandler<StepsInput> {
  execute({ steps }: StepsInput, context: SkillContext): string {
    for (let step = 1; step <= steps; step += 1) context.progress(step, steps, `step ${step}`);
    context.log('info', 'counted');
    return `${steps} steps`;
  }
}

class SlowlyInput {
  @IsInt() @Min(1) @Max(100) steps!: number;
  @IsInt() @Min(0) @Max(10_000) stepMs!: number;
}

@Skill({ name: 'slowly', description: 'Use this to watch progress.', input: SlowlyInput, annotations: READ_ONLY })
class Slowly implements SkillHandler<SlowlyInput> {
  async execute({ steps, stepMs }: SlowlyInput, context: SkillContext): Promise<string> {
    for (let step = 1; step <= steps; step += 1) {
      await setTimeout(stepMs, undefined, { signal: context.signal });
      context.progress(step, steps, `step ${step}`);
    }
    context.log('notice', 'all steps done', 'slowly');
    return `${steps} steps, slowly`;
  }
}

@Skill({ name: 'ask', description: 'Use this to be asked something.', annotations: READ_ONLY })
class Ask implements SkillHandler {
  execute(): SkillOutput {
    return inputRequired({ inputRequests: { name: elicit('Your name?', { type: 'object', properties: {} }) } });
  }
}

/** Ignores its abort signal until it has fired, and then still returns a result, as a careless skill would. */
@Skill({ name: 'hang', description: 'Use this to see a time limit.', annotations: READ_ONLY })
export class Hang implements SkillHandler {
  running = 0;
  readonly stopped: unknown[] = [];

  execute(_input: never, { signal }: SkillContext): Promise<string> {
    this.running += 1;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        this.running -= 1;
        this.stopped.push(signal.reason);
        resolve('too late');
      });
    });
  }
}

const SKILLS = [Echo, Explode, Count, Slowly, Ask, Hang];

@Module({ imports: [SkillsModule], providers: [...SKILLS, registersSkills(...SKILLS)], exports: [Hang] })
export class TestSkillsModule {}
