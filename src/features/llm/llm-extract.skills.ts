import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler } from '#skill-kit';
import { Asking } from './asking/asking.service.js';
import { StructuredAnswers } from './asking/structured-answers.service.js';
import { extractionOf } from './llm-prompts.rules.js';
import { toFailure, usageOf } from './llm-result.rules.js';
import { EXTRACTED, ExtractInput } from './llm.schema.js';

const TOOL = 'llm_extract';

@Skill({
  name: TOOL,
  title: 'Extract data with a language model',
  description:
    'Use this in a step of a workflow to take fields out of a text, such as sender, amounts and dates of an invoice. Returns JSON ' +
    'that fits the schema, and the tokens used. The descriptions in the schema tell the model what to look for.',
  input: ExtractInput,
  output: EXTRACTED,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  tags: ['llm'],
})
@Injectable()
export class LlmExtract implements SkillHandler<ExtractInput> {
  constructor(
    private readonly asking: Asking,
    private readonly structured: StructuredAnswers,
  ) {}

  execute(input: ExtractInput, context: SkillContext): Promise<object> {
    return this.answer(input, context).catch(toFailure);
  }

  private async answer(input: ExtractInput, context: SkillContext): Promise<object> {
    const { text, schema, model: name = null, max_tokens: maxTokens } = input;
    const call = this.asking.begin(TOOL, context);
    await this.structured.assertUsable('schema', schema, call);
    const { data, model } = await this.structured.ask(name, { messages: extractionOf(text), schema, maxTokens }, call);
    return { data, ...usageOf(model, call.tokens) };
  }
}
