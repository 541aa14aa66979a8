import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { SkillHandler } from '#skill-kit';
import { PolicyModule } from '../../../access/policy/policy.module.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { AnswerTokens } from '../runs/answer-tokens.service.js';
import { RunAnswerSkill } from '../runs/run-answer.skills.js';
import { RunCancelSkill, RunListSkill, RunStatusSkill } from '../runs/runs.skills.js';
import { RunsModule } from './runs.module.js';

const SKILLS = [RunListSkill, RunStatusSkill, RunCancelSkill, RunAnswerSkill];
const ALL_SKILLS = Symbol('the skills of runs');

@Module({
  imports: [PolicyModule, RunsModule, SecretsModule, SkillsModule],
  providers: [
    AnswerTokens,
    ...SKILLS,
    { provide: ALL_SKILLS, useFactory: (...skills: SkillHandler[]) => skills, inject: SKILLS },
  ],
})
export class RunSkillsModule implements OnModuleInit {
  constructor(
    private readonly registry: SkillRegistry,
    @Inject(ALL_SKILLS) private readonly skills: SkillHandler[],
  ) {}

  onModuleInit(): void {
    this.registry.register(...this.skills);
  }
}
