import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler } from '#skill-kit';
import { Asking } from './asking/asking.service.js';
import { StructuredAnswers } from './asking/structured-answers.service.js';
import { chosenOf, classificationOf } from './llm-prompts.rules.js';
import { toFailure, usageOf } from './llm-result.rules.js';
import { CLASSIFIED, ClassifyInput } from './llm.schema.js';

const TOOL = 'llm_classify';
/** Reasoning tokens count, too. */
const MAX_TOKENS = 2_048;

@Skill({
  name: TOOL,
  title: 'Classify a text with a language model',
  description:
    'Use this in a step of a workflow to sort a text into categories, such as the kind of a ticket or the mood of a message. ' +
    'Returns one of the labels, or with "multiple" all that fit, never another word; and the tokens used.',
  input: ClassifyInput,
  output: CLASSIFIED,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  tags: ['llm'],
})
@Injectable()
export class LlmClassify implements SkillHandler<ClassifyInput> {
  constructor(
    private readonly asking: Asking,
    private readonly structured: StructuredAnswers,
  ) {}

  execute(input: ClassifyInput, context: SkillContext): Promise<object> {
    return this.answer(input, context).catch(toFailure);
  }

  private async answer(input: ClassifyInput, context: SkillContext): Promise<object> {
    const { text, labels, descriptions = {}, multiple, model: name = null } = input;
    const call = this.asking.begin(TOOL, context);
    const question = classificationOf({ text, labels, descriptions, multiple });
    const { data, model } = await this.structured.ask(name, { ...question, maxTokens: MAX_TOKENS }, call);
    const chosen = chosenOf(data, labels);
    return { label: chosen[0] ?? null, labels: chosen, ...usageOf(model, call.tokens) };
  }
}
