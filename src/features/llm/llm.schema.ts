import { ArrayMaxSize, ArrayMinSize, IsArray, MaxLength, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '#skill-kit';
import { AnyObject, Flag, Integer, Text } from '../../core/skills/skill-fields.decorators.js';

/** Maximum length of a text for a model, in characters. */
const MAX_TEXT = 200_000;
const MAX_SYSTEM = 50_000;
const MAX_TOKENS = 32_768;
const DEFAULT_TOKENS = 4_096;
const MOST_LABELS = 100;
const LONGEST_LABEL = 100;

export const Model = () =>
  Text('Name of the model, such as "fast". By default, the first one that the administrator has set.', {
    min: 1,
    max: 200,
    optional: true,
  });
const MaxTokens = () =>
  Integer(
    `Most tokens of the answer, for example 500: from 1 to ${MAX_TOKENS}. As many must be left in the budget of the month.`,
    { min: 1, max: MAX_TOKENS, default: DEFAULT_TOKENS, optional: true },
  );

export class GenerateInput {
  @Text(`What the model is asked, such as "Summarize in one sentence: ...", at most ${MAX_TEXT} characters.`, {
    min: 1,
    max: MAX_TEXT,
  })
  prompt!: string;

  @Text(
    `How the model should behave, such as "You write release notes in plain English", at most ${MAX_SYSTEM} characters. By default, nothing is said.`,
    { min: 1, max: MAX_SYSTEM, optional: true },
  )
  system?: string;

  @Model() model?: string;

  @MaxTokens() max_tokens: number = DEFAULT_TOKENS;

  @AnyObject(
    'JSON Schema that the answer must fit, such as {"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}, ' +
      'at most 16 KB. By default, the answer is a text.',
    { optional: true },
  )
  output_schema?: JsonObject;
}

export class ClassifyInput {
  @Text(`The text to classify, such as a message, at most ${MAX_TEXT} characters.`, { min: 1, max: MAX_TEXT })
  text!: string;

  @JSONSchema({
    description: `The labels to choose from, such as ["bug","question","other"]: from 1 to ${MOST_LABELS}, each of at most ${LONGEST_LABEL} characters.`,
    items: { type: 'string' },
    uniqueItems: true,
  })
  @MinLength(1, { each: true })
  @MaxLength(LONGEST_LABEL, { each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_LABELS)
  @IsArray()
  labels!: string[];

  @AnyObject(
    'What labels mean, such as {"bug":"Something does not work as the manual says"}; at most 500 characters each. By default, their names say it.',
    { additionalProperties: { type: 'string', maxLength: 500 }, maxProperties: MOST_LABELS, optional: true },
  )
  descriptions?: Record<string, string>;

  @Flag('Whether several labels, or none, may fit, for example true for topics.', { default: false, optional: true })
  multiple: boolean = false;

  @Model() model?: string;
}

export class ExtractInput {
  @Text(`The text to read, such as an e-mail, at most ${MAX_TEXT} characters.`, { min: 1, max: MAX_TEXT })
  text!: string;

  @AnyObject(
    'JSON Schema of what to extract, such as {"type":"object","properties":{"total":{"type":"number","description":"Sum with tax"}}}, at most 16 KB.',
  )
  schema!: JsonObject;

  @Model() model?: string;

  @MaxTokens() max_tokens: number = DEFAULT_TOKENS;
}

const TOKENS = {
  type: 'object',
  description: 'Tokens that the call has used, with everything that was asked again.',
  properties: { prompt: { type: 'integer' }, completion: { type: 'integer' }, total: { type: 'integer' } },
  required: ['prompt', 'completion', 'total'],
  additionalProperties: false,
};
const MODEL = { type: 'string', description: 'Name of the model that has answered.' };

export const GENERATED: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'The answer; left out with an output_schema.' },
    data: { type: 'object', description: 'The answer that fits the output_schema.' },
    truncated: { type: 'boolean', description: 'Whether the answer reached max_tokens and is not complete.' },
    hint: { type: 'string' },
    model: MODEL,
    tokens: TOKENS,
  },
  required: ['truncated', 'model', 'tokens'],
  additionalProperties: false,
};

export const CLASSIFIED: JsonObject = {
  type: 'object',
  properties: {
    label: { type: ['string', 'null'], description: 'The label that fits, or the first one; null when none fits.' },
    labels: { type: 'array', items: { type: 'string' }, description: 'All labels that fit.' },
    model: MODEL,
    tokens: TOKENS,
  },
  required: ['label', 'labels', 'model', 'tokens'],
  additionalProperties: false,
};

export const EXTRACTED: JsonObject = {
  type: 'object',
  properties: {
    data: { type: 'object', description: 'What the text says, as the schema.' },
    model: MODEL,
    tokens: TOKENS,
  },
  required: ['data', 'model', 'tokens'],
  additionalProperties: false,
};
