import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
import { Skill, type SkillContext, type SkillHandler } from '#skill-kit';
import { registersSkills } from '../../src/core/skills/skill.registry.js';
import { SkillsModule } from '../../src/core/skills/skills.module.js';
import { RunsModule } from '../../src/features/workflows/engine/runs.module.js';
import { SERVICE_CLIENT } from '../../src/features/workflows/runs/run.js';
import { RunsService } from '../../src/features/workflows/runs/runs.service.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';
import { writeMark } from './marks.js';

const FILE = process.env['MARKS_FILE'] ?? '';
const LONGEST_MS = 120;
const random = new Random(seedFrom('RUN_CRASH_SEED'));

async function marked({ step }: SkillContext, lane: string, order: number): Promise<void> {
  const mark = { key: step?.idempotencyKey ?? '', lane, order, pid: process.pid };
  writeMark(FILE, { ...mark, phase: 'begin' });
  await pause(random.integer(0, LONGEST_MS));
  writeMark(FILE, { ...mark, phase: 'end' });
}

class MarkInput {
  @IsString() lane!: string;
  @IsInt() order!: number;
}

@Skill({ name: 'mark', description: 'Writes down that it began and ended.', input: MarkInput })
class MarkSkill implements SkillHandler<MarkInput> {
  async execute({ lane, order }: MarkInput, context: SkillContext): Promise<string> {
    await marked(context, lane, order);
    return 'done';
  }
}

@Skill({ name: 'flaky', description: 'Fails at the first and the second attempt.' })
class FlakySkill implements SkillHandler {
  async execute(_input: never, context: SkillContext): Promise<string> {
    await marked(context, 'flaky', 1);
    if (!context.step?.idempotencyKey.includes('~3')) throw new Error('not yet');
    return 'at last';
  }
}

@Skill({ name: 'hang', description: 'Goes on until it is stopped.' })
class HangSkill implements SkillHandler {
  async execute(_input: never, { signal }: SkillContext): Promise<string> {
    await pause(3_600_000, undefined, { signal });
    return 'too late';
  }
}

@Skill({ name: 'broken', description: 'Fails.' })
class BrokenSkill implements SkillHandler {
  async execute(): Promise<string> {
    throw new Error('broken');
  }
}

class AttemptInput {
  @IsString() lane!: string;
}

@Skill({ name: 'attempt', description: 'Returns which attempt this is.', input: AttemptInput })
class AttemptSkill implements SkillHandler<AttemptInput> {
  async execute({ lane }: AttemptInput, context: SkillContext): Promise<{ attempt: number }> {
    const attempt = Number(/~(\d+)$/.exec(context.step?.idempotencyKey ?? '')?.[1] ?? 1);
    await marked(context, lane, attempt);
    return { attempt };
  }
}

@Controller('crash')
class StartController {
  constructor(private readonly runs: RunsService) {}

  @Get('outputs')
  async outputs(): Promise<Record<string, unknown>> {
    const outputs: Record<string, unknown> = {};
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<RunsService['listPage']>> = await this.runs.listPage({
        limit: 200,
        ...(cursor !== null && { cursor }),
      });
      for (const { id } of page.items) outputs[id] = (await this.runs.get(id)).output;
      cursor = page.nextCursor;
    } while (cursor !== null);
    return outputs;
  }

  @Get(':name/:n')
  async start(@Param('name') name: string, @Param('n') n: string): Promise<object> {
    const { id } = await this.runs.start({
      program: 'workflow',
      name,
      version: '1.0.0',
      input: { n: Number(n), origin: process.env['SLOW_ORIGIN'] ?? '' },
      origin: 'admin',
      client: SERVICE_CLIENT,
      idempotencyKey: `${name}-${n}`,
      isTest: false,
    });
    return { id };
  }
}

const SKILLS = [MarkSkill, FlakySkill, HangSkill, BrokenSkill, AttemptSkill];

@Module({
  imports: [SkillsModule, RunsModule],
  controllers: [StartController],
  providers: [...SKILLS, registersSkills(...SKILLS)],
})
export class CrashFixturesModule {}
