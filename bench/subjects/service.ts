import { Module, type OnModuleInit } from '@nestjs/common';
import { defineSkill, Skill, type SkillHandler } from '#skill-kit';
import { createApp } from '../../src/app.setup.js';
import { SkillRegistry } from '../../src/core/skills/skill.registry.js';
import { SkillsModule } from '../../src/core/skills/skills.module.js';

/** The service as released, with the requested number of trivial skills. */
@Module({ imports: [SkillsModule] })
class TrivialSkillsModule implements OnModuleInit {
  constructor(private readonly skills: SkillRegistry) {}

  onModuleInit(): void {
    this.skills.add(Array.from({ length: Number(process.env['TOOLS']) }, (_, index) => trivialSkill(`tool_${index}`)));
    const slowMs = process.env['SLOW_MS'];
    if (slowMs !== undefined) this.skills.add([slowSkill(Number(slowMs))]);
    process.on('message', ({ remove }: { remove?: string }) => {
      if (remove !== undefined) this.skills.remove(remove);
    });
  }
}

function trivialSkill(name: string) {
  @Skill({
    name,
    description: 'Answers with the same text every time.',
    input: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  class Trivial implements SkillHandler {
    execute() {
      return 'constant answer';
    }
  }
  return defineSkill(new Trivial());
}

function slowSkill(takesMs: number) {
  @Skill({
    name: 'slow',
    description: 'Answers after a while.',
    input: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  class Slow implements SkillHandler {
    async execute() {
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      return 'slow answer';
    }
  }
  return defineSkill(new Slow());
}

const app = await createApp({ imports: [TrivialSkillsModule] });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
