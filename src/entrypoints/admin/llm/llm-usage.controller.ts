import { Get } from '@nestjs/common';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { AdminLlmUsage } from './admin-llm-usage.service.js';
import { LlmUsageView } from './llm-usage.schema.js';

@AdminController('llm-usage')
export class LlmUsageController {
  constructor(private readonly usage: AdminLlmUsage) {}

  @Get()
  @Operation('getLlmUsage', 'Returns the tokens of language models that clients have used this month')
  @Returns(LlmUsageView)
  current(): Promise<LlmUsageView> {
    return this.usage.current();
  }
}
