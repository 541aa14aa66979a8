import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Module, type OnModuleInit, Param } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
import { Skill, type SkillContext, type SkillHandler } from '#skill-kit';
import { SkillRegistry } from '../../src/core/skills/skill.registry.js';
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

@Controller('crash')
class StartController {
  constructor(private readonly runs: RunsService) {}

  @Get(':name/:n')
  async start(@Param('name') name: string, @Param('n') n: string): Promise<object> {
    const { id } = await this.runs.start({
      program: 'workflow',
      name,
      version: '1.0.0',
      input: { n: Number(n) },
      origin: 'admin',
      client: SERVICE_CLIENT,
      idempotencyKey: `${name}-${n}`,
      isTest: false,
    });
    return { id };
  }
}

@Module({ imports: [SkillsModule, RunsModule], controllers: [StartController] })
export class CrashFixturesModule implements OnModuleInit {
  constructor(private readonly skills: SkillRegistry) {}

  onModuleInit(): void {
    this.skills.register(new MarkSkill(), new FlakySkill());
  }
}
