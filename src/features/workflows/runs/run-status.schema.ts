import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { Json, JsonObject } from '#open-workflow';
import { Nested } from '#skill-kit';
import { Flag, Integer, OneOf, Text } from '../../../core/skills/skill-fields.decorators.js';
import { NEXT_STATUS, type RunStatus, type StepStatus } from './run.js';

const ID = /^(run:\/\/)?[0-9a-f]{32}\/?$/i;

export class RunStatusInput {
  @Text(
    'Id or address of the run, such as "run://0123456789abcdef0123456789abcdef": 32 characters of 0 to 9 and a to f.',
    { pattern: ID },
  )
  id!: string;

  @Integer('How long to wait for the end, 0 to 25 seconds, for example 20.', {
    min: 0,
    max: 25,
    optional: true,
    default: 0,
  })
  wait_seconds?: number;
}

export class RunStatusStep {
  @Text('The name that people gave its task, and which repetition it is.') label!: string;
  @IsString() status!: StepStatus;
  @IsString() startedAt!: string;
  @Text('Absent while it has not ended.', { optional: true }) endedAt?: string;
  @Text('What went wrong.', { optional: true }) error?: string;
  @Text('The run that it started.', { optional: true }) run?: string;
}

export class RunStatusQuestion {
  @IsString() step!: string;
  @IsString() message!: string;
  @JSONSchema({ description: 'JSON Schema of the answer.' }) @IsObject() schema!: JsonObject;
  @Flag('Whether only an administrator answers, and not your user.') notCaller!: boolean;
  @IsString() askedAt!: string;
}

export class RunStatusResult {
  @Text('With resource_read, it shows what went into the steps and came out of them.') uri!: string;
  @IsString() id!: string;
  @Text('Name of the workflow or tool.') name!: string;
  @OneOf('Whether it goes on.', Object.keys(NEXT_STATUS)) status!: RunStatus;
  @IsString() startedAt!: string;
  @Text('Absent while it has not ended.', { optional: true }) endedAt?: string;
  @Text('Where people see it.') page!: string;
  @Integer('How many steps were before these.', { optional: true }) stepsBefore?: number;
  @JSONSchema({ description: 'The last steps.' })
  @IsArray()
  @Nested(() => RunStatusStep, { each: true })
  steps!: RunStatusStep[];
  @JSONSchema({ description: 'What it waits for a person to answer.' })
  @Nested(() => RunStatusQuestion, { each: true })
  waitsFor!: RunStatusQuestion[];

  @JSONSchema({ description: 'Its result, when it is completed.' }) @IsOptional() output?: Json;
  @Text('What went wrong, when it has failed.', { optional: true }) error?: string;
  @Text('What to do next.') hint!: string;
}
