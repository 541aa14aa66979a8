import { Module } from '@nestjs/common';
import type { SkillHandler } from '#skill-kit';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OutgoingHttpModule } from '../../platform/outgoing-http/outgoing-http.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { CallsModule } from '../workflows/calls/calls.module.js';
import { ProgramsModule } from '../workflows/engine/programs/programs.module.js';
import { LlmAgentProgram } from './agent/llm-agent.service.js';
import { LlmAgent } from './agent/llm-agent.skills.js';
import { Asking } from './asking/asking.service.js';
import { StructuredAnswers } from './asking/structured-answers.service.js';
import { TokenBudget } from './budget/token-budget.service.js';
import { TokenUsageStore } from './budget/token-usage.store.js';
import { LlmClassify } from './llm-classify.skills.js';
import { LlmExtract } from './llm-extract.skills.js';
import { LlmGenerate } from './llm-generate.skills.js';
import { LlmOffers } from './llm-offers.service.js';
import { LlmSkills } from './llm-skills.provider.js';
import { ChatApi } from './models/chat-api.service.js';
import { LlmModels } from './models/llm-models.service.js';

const ASKING = [LlmModels, ChatApi, TokenUsageStore, TokenBudget, Asking, StructuredAnswers];
const SKILLS = [LlmGenerate, LlmClassify, LlmExtract, LlmAgent];
const OFFERED = { provide: LlmSkills, useFactory: (...all: SkillHandler[]) => new LlmSkills(all), inject: SKILLS };

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule, OutgoingHttpModule, SkillsModule, CallsModule, ProgramsModule],
  providers: [...ASKING, LlmAgentProgram, ...SKILLS, OFFERED, LlmOffers],
  exports: [TokenBudget],
})
export class LlmModule {}
