import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '#skill-kit';
import { Integer, Text } from '../../../core/skills/skill-fields.decorators.js';
import { Model } from '../llm.schema.js';

export const AGENT = 'llm_agent';
const MOST_TOOLS = 20;
const MOST_STEPS = 50;
const DEFAULT_STEPS = 10;
const MOST_TOKENS = 1_000_000;
const DEFAULT_TOKENS = 50_000;

export class AgentInput {
  @Text(
    'What is to be done, such as "Find out which of our services had errors today, and summarize why.", at most 20000 characters.',
    { min: 1, max: 20_000 },
  )
  task!: string;

  @JSONSchema({
    description: `Names of the tools that the model may call, such as ["knowledge_search","resource_read"]: from 1 to ${MOST_TOOLS}. Each call needs your permissions.`,
    items: { type: 'string' },
    uniqueItems: true,
  })
  @Matches(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(MOST_TOOLS)
  @ArrayMinSize(1)
  @IsArray()
  tools!: string[];

  @Model() model?: string;

  @Integer(`How often the model may be asked what to do next, for example 5: from 1 to ${MOST_STEPS}.`, {
    min: 1,
    max: MOST_STEPS,
    default: DEFAULT_STEPS,
    optional: true,
  })
  max_steps: number = DEFAULT_STEPS;

  @Integer(
    `Tokens after which it is not asked again, for example 20000: from 1 to ${MOST_TOKENS}. They count towards the budget of the month.`,
    { min: 1, max: MOST_TOKENS, default: DEFAULT_TOKENS, optional: true },
  )
  max_tokens: number = DEFAULT_TOKENS;
}

export const AGENT_ANSWER: JsonObject = {
  type: 'object',
  properties: {
    answer: {
      type: ['string', 'null'],
      description: 'What the model has found or done; null when it was stopped before.',
    },
    stopped: {
      type: ['string', 'null'],
      enum: ['max_steps', 'max_tokens', null],
      description: 'The limit that was reached before there was an answer; null when there is one.',
    },
    calls: {
      type: 'array',
      description: 'The calls that were made, in their order.',
      items: {
        type: 'object',
        properties: { tool: { type: 'string' }, failed: { type: 'boolean' } },
        required: ['tool', 'failed'],
        additionalProperties: false,
      },
    },
    tokens: { type: 'integer', description: 'Tokens that were used.' },
  },
  required: ['answer', 'stopped', 'calls', 'tokens'],
  additionalProperties: false,
};
