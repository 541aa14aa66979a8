import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsObject, IsString, MaxLength, MinLength } from 'class-validator';
import type { DefinitionProblem, JsonObject } from '#open-workflow';
import type { WorkflowSource } from '../../../features/workflows/definitions/workflow.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';
import { PageOf, PageQuery, SearchQuery } from '../api/page.schema.js';

/** Of a text that is looked at: what is too long for a workflow is a problem of it. */
const LONGEST_TEXT = 1_000_000;
const LONGEST_NAME = 64;
const LONGEST_VERSION = 200;

export class WorkflowsQuery extends SearchQuery {}

export class WorkflowVersionsQuery extends PageQuery {}

export class DefinitionBody {
  @ApiProperty({ maxLength: LONGEST_TEXT, description: 'A workflow of the Open Workflow DSL, as YAML or JSON.' })
  @IsString()
  @MaxLength(LONGEST_TEXT)
  definition!: string;
}

export class WorkflowBody extends DefinitionBody {
  @ApiPropertyOptional({
    default: true,
    description:
      'Whether calls and schedules start this version from now on. The first version always is the current one.',
  })
  @MayBeLeftOut()
  @IsBoolean()
  makeCurrent?: boolean;
}

export class WorkflowEnabledBody {
  @ApiProperty()
  @IsBoolean()
  enabled!: boolean;
}

export class CurrentVersionBody {
  @ApiProperty({ maxLength: LONGEST_VERSION, example: '1.0.0' })
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_VERSION)
  version!: string;
}

export class StartBody {
  @ApiPropertyOptional({
    type: Object,
    additionalProperties: true,
    description: 'Fits the input schema of the workflow.',
  })
  @MayBeLeftOut()
  @IsObject()
  input?: JsonObject;

  @ApiPropertyOptional({ maxLength: LONGEST_VERSION, description: 'Without it, the current version.' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(LONGEST_VERSION)
  version?: string;

  @ApiPropertyOptional({ maxLength: 200, description: 'A second start with the same key is the same run.' })
  @MayBeLeftOut()
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  idempotencyKey?: string;
}

class DefinitionProblemView implements DefinitionProblem {
  @ApiProperty({ enum: ['error', 'warning'] })
  severity!: 'error' | 'warning';

  @ApiProperty({ description: 'JSON Pointer in the document.', example: '/do/0/fetch/with/endpoint' })
  path!: string;

  @ApiProperty({ description: 'From 1.' })
  line!: number;

  @ApiProperty({ description: 'From 1.' })
  column!: number;

  @ApiProperty()
  message!: string;
}

export class WorkflowView {
  @ApiProperty({ maxLength: LONGEST_NAME })
  name!: string;

  @ApiProperty({ description: 'The version that calls and schedules start.' })
  version!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @ApiProperty({ type: String, nullable: true })
  summary!: string | null;

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({ enum: ['file', 'admin'], description: 'Where the version comes from.' })
  source!: WorkflowSource;

  @ApiProperty({ type: String, nullable: true, description: 'When it starts by itself; null = never.' })
  schedule!: string | null;

  @ApiProperty({ description: 'Whether callers do not wait for the result.' })
  isBackground!: boolean;

  @ApiProperty({ description: 'Number of errors: of the text, or of the file that should replace it.' })
  problems!: number;

  @ApiProperty()
  updatedAt!: Date;
}

export class FullWorkflowView {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  version!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @ApiProperty({ type: String, nullable: true })
  summary!: string | null;

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({ enum: ['file', 'admin'] })
  source!: WorkflowSource;

  @ApiProperty({ type: String, nullable: true, description: 'When it starts by itself; null = never.' })
  schedule!: string | null;

  @ApiProperty()
  isBackground!: boolean;

  @ApiProperty({ description: 'YAML.' })
  definition!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Mermaid flowchart; null while there are errors.' })
  diagram!: string | null;

  @ApiProperty({ type: [DefinitionProblemView] })
  problems!: DefinitionProblem[];

  @ApiProperty({ type: Object, nullable: true, description: 'JSON Schema of the input; null = any object.' })
  inputSchema!: JsonObject | null;

  @ApiProperty({ type: Object, nullable: true, description: 'JSON Schema of the output; null = anything.' })
  outputSchema!: JsonObject | null;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty()
  updatedAt!: Date;
}

export class WorkflowFileView {
  @ApiProperty({ description: 'Name in the folder for workflows.' })
  file!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The workflow in it; null when it cannot be read.' })
  name!: string | null;

  @ApiProperty({ type: [DefinitionProblemView] })
  problems!: DefinitionProblem[];
}

export class WorkflowPage extends PageOf(WorkflowView) {
  @ApiProperty({
    type: [WorkflowFileView],
    description: 'Files with errors. Their workflows stay as they were before.',
  })
  brokenFiles!: WorkflowFileView[];
}

export class WorkflowVersionView {
  @ApiProperty()
  version!: string;

  @ApiProperty({ enum: ['file', 'admin'] })
  source!: WorkflowSource;

  @ApiProperty()
  createdAt!: Date;
}

export class FullWorkflowVersionView extends WorkflowVersionView {
  @ApiProperty({ description: 'YAML.' })
  definition!: string;
}

export class ValidationView {
  @ApiProperty({ type: String, nullable: true, description: 'document.name; null when it cannot be read.' })
  name!: string | null;

  @ApiProperty({ type: [DefinitionProblemView] })
  problems!: DefinitionProblem[];

  @ApiProperty({ type: String, nullable: true, description: 'Mermaid flowchart; null while there are errors.' })
  diagram!: string | null;

  @ApiProperty({ type: Object, nullable: true, description: 'JSON Schema of the input; null = any object.' })
  inputSchema!: JsonObject | null;
}
