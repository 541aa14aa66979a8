import { Module } from '@nestjs/common';
import { PolicyModule } from '../../../access/policy/policy.module.js';
import { registersSkills } from '../../../core/skills/skill.registry.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { AnswerTokens } from '../runs/answer-tokens.service.js';
import { RunAnswerSkill } from '../runs/run-answer.skills.js';
import { RunCancelSkill, RunListSkill, RunStatusSkill } from '../runs/runs.skills.js';
import { RunsModule } from './runs.module.js';

const SKILLS = [RunListSkill, RunStatusSkill, RunCancelSkill, RunAnswerSkill];

@Module({
  imports: [PolicyModule, RunsModule, SecretsModule, SkillsModule],
  providers: [AnswerTokens, ...SKILLS, registersSkills(...SKILLS)],
})
export class RunSkillsModule {}
