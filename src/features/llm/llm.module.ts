import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OutgoingHttpModule } from '../../platform/outgoing-http/outgoing-http.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
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

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule, OutgoingHttpModule, SkillsModule],
  providers: [...ASKING, LlmGenerate, LlmClassify, LlmExtract, LlmSkills, LlmOffers],
})
export class LlmModule {}
