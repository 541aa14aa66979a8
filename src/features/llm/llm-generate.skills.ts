import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler } from '#skill-kit';
import { Asking } from './asking/asking.service.js';
import { StructuredAnswers } from './asking/structured-answers.service.js';
import { toFailure, toTextResult, usageOf } from './llm-result.rules.js';
import { GENERATED, GenerateInput } from './llm.schema.js';
import type { ChatMessage } from './models/chat-request.rules.js';

const TOOL = 'llm_generate';
const CUT = 'The answer reached max_tokens and is not complete: raise max_tokens, or ask for a shorter answer.';

@Skill({
  name: TOOL,
  title: 'Ask a language model',
  description:
    'Use this in a step of a workflow to have a language model write, summarize, translate or rewrite something. With ' +
    'output_schema the answer is JSON that fits it, else a text. Returns the answer, the model and the tokens used, which count ' +
    'towards the budget of the month.',
  input: GenerateInput,
  output: GENERATED,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  tags: ['llm'],
})
@Injectable()
export class LlmGenerate implements SkillHandler<GenerateInput> {
  constructor(
    private readonly asking: Asking,
    private readonly structured: StructuredAnswers,
  ) {}

  execute(input: GenerateInput, context: SkillContext): Promise<object> {
    return this.answer(input, context).catch(toFailure);
  }

  private async answer(input: GenerateInput, context: SkillContext): Promise<object> {
    const { prompt, system, model: name = null, max_tokens: maxTokens, output_schema: schema = null } = input;
    const call = this.asking.begin(TOOL, context);
    const preamble: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
    const request = { messages: [...preamble, { role: 'user', content: prompt } as const], maxTokens };
    if (schema !== null) {
      await this.structured.assertUsable('output_schema', schema, call);
      const { data, model } = await this.structured.ask(name, { ...request, schema }, call);
      return { data, truncated: false, ...usageOf(model, call.tokens) };
    }
    const { text, model, isCut } = await this.asking.ask(name, { ...request, schema }, call);
    return toTextResult(text, { truncated: isCut, ...(isCut && { hint: CUT }), ...usageOf(model, call.tokens) });
  }
}
