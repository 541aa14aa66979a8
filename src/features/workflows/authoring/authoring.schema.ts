import { IsOptional } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type Json, type JsonObject, MOST_DEFINITION_BYTES } from '#open-workflow';
import { AnyObject, Text } from '../../../core/skills/skill-fields.decorators.js';

/** More than the limit of a workflow, so that a text that is too long is reported as a mistake with a place. */
const LONGEST_TEXT = 300_000;

export class DefinitionInput {
  @Text(
    `The whole workflow as YAML, such as "document: { dsl: 1.0.3, ... }", at most ${MOST_DEFINITION_BYTES / 1024} KB.`,
    { min: 1, max: LONGEST_TEXT },
  )
  definition!: string;
}

export class TriedInput {
  @Text('Name of the workflow, such as "weekly-report": letters, digits, underscores and hyphens, at most 64.', {
    pattern: /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/,
  })
  name!: string;

  @Text('The version that you have proposed, such as "1.0.0".', { min: 1, max: 200 })
  version!: string;

  @Text(
    'The only task to run: the name of an outermost one, such as "fetch", or where it is, such as "/do/1/loop/do/0/save". By default, all run.',
    { min: 1, max: 1_000, optional: true },
  )
  task?: string;

  @AnyObject(
    'Values of $item, $index, $error and the like, which the task sees of the loops and catches around it, such as {"item": "a"}. By default, samples.',
    { optional: true },
  )
  variables?: JsonObject;

  @JSONSchema({
    type: ['object', 'array'],
    description:
      'Input of the run, or of the task, such as {"topic": "security"}; a list with the data of the event, such as [{"id": 7}], where schedule.on starts the workflow. By default, {}.',
  })
  @IsOptional()
  input?: JsonObject | Json[];
}
