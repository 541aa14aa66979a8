import { Module } from '@nestjs/common';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { LlmModule } from '../../../features/llm/llm.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminLlmUsage } from './admin-llm-usage.service.js';
import { LlmUsageController } from './llm-usage.controller.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, LlmModule],
  controllers: [LlmUsageController],
  providers: [AdminLlmUsage],
})
export class AdminLlmModule {}
