import { type DefinitionProblem, type JsonObject, MOST_DEFINITION_BYTES } from '#open-workflow';
import type { WorkflowSource } from '../../../features/workflows/definitions/workflow.js';
import { AnyObject, Amount, Flag, OneOf, Parts, Text, Time } from '../api/fields.decorators.js';
import { PageOf, PageQuery } from '../api/page.schema.js';

/** The longest text that is read. One that is too long for a workflow is reported as a problem of it. */
const LONGEST_TEXT = 1_000_000;
const LONGEST_NAME = 64;
const LONGEST_VERSION = 200;
const SOURCES = ['file', 'admin', 'assistant'];
const AUTHOR = "Name of the client whose assistant proposed the version; null = nobody's did.";

export class WorkflowsQuery extends PageQuery {
  @Text({ max: 1000, optional: true, says: 'Part of a name.' }) q?: string;
}

export class DefinitionBody {
  @Text({
    max: LONGEST_TEXT,
    doc: { maxLength: MOST_DEFINITION_BYTES },
    says: `A workflow of the Open Workflow DSL, as YAML or JSON, of at most ${MOST_DEFINITION_BYTES / 1024} KB.`,
  })
  definition!: string;
}

export class WorkflowBody extends DefinitionBody {
  @Flag({
    optional: true,
    default: true,
    says: 'Whether calls and schedules start this version from now on. The first version always is the current one.',
  })
  makeCurrent?: boolean;
}

export class WorkflowEnabledBody {
  @Flag() enabled!: boolean;
}

export class CurrentVersionBody {
  @Text({ min: 1, max: LONGEST_VERSION, example: '1.0.0' }) version!: string;
}

export class StartBody {
  @AnyObject({ optional: true, says: 'Input of the run; must match the input schema of the workflow.' })
  input?: JsonObject;

  @AnyObject({
    optional: true,
    says: 'For a workflow that events start: the CloudEvent to try it with. Missing attributes are added; only this workflow receives it.',
  })
  event?: JsonObject;

  @Text({ max: LONGEST_VERSION, optional: true, says: 'Version to start; by default the current one.' })
  version?: string;

  @Text({
    min: 1,
    max: 200,
    optional: true,
    says: 'Idempotency key: a second start with the same key returns the same run.',
  })
  idempotencyKey?: string;
}

class DefinitionProblemView implements DefinitionProblem {
  @OneOf(['error', 'warning']) severity!: 'error' | 'warning';
  @Text({ example: '/do/0/fetch/with/endpoint', says: 'JSON Pointer in the document.' }) path!: string;
  @Amount({ says: 'Line, from 1.' }) line!: number;
  @Amount({ says: 'Column, from 1.' }) column!: number;
  @Text() message!: string;
}

class WorkflowFacts {
  @Text({ max: LONGEST_NAME }) name!: string;
  @Text({ says: 'The version that calls and schedules start.' }) version!: string;
  @Text({ nullable: true }) title!: string | null;
  @Text({ nullable: true }) summary!: string | null;
  @Flag() enabled!: boolean;
  @OneOf(SOURCES, { says: 'Origin of the version.' }) source!: WorkflowSource;
  @Text({ nullable: true, says: AUTHOR }) author!: string | null;
  @Text({ nullable: true, says: 'Schedule that starts the workflow; null = none.' }) schedule!: string | null;
  @Flag({ says: 'Whether the workflow runs in the background, so that callers do not wait for the result.' })
  isBackground!: boolean;
  @Time() updatedAt!: Date;
}

export class WorkflowView extends WorkflowFacts {
  @Amount({ says: 'Number of errors: of the text, or of the file that should replace it.' }) problems!: number;
}

export class FullWorkflowView extends WorkflowFacts {
  @Text({ says: 'For the header If-Match: of the current version with its text, and whether it is enabled.' })
  revision!: string;

  @Text({ says: 'Text of the definition, as YAML.' }) definition!: string;
  @Text({ nullable: true, says: 'Mermaid flowchart; null while there are errors.' }) diagram!: string | null;
  @Parts(DefinitionProblemView) problems!: DefinitionProblem[];

  @AnyObject({ nullable: true, says: 'JSON Schema of the input; null = any object.' })
  inputSchema!: JsonObject | null;

  @AnyObject({ nullable: true, says: 'JSON Schema of the output; null = anything.' })
  outputSchema!: JsonObject | null;

  @AnyObject({ nullable: true, says: 'An event to try the workflow with; null = events do not start it.' })
  exampleEvent!: JsonObject | null;

  @Time() createdAt!: Date;
}

export class WorkflowFileView {
  @Text({ says: 'Name in the folder for workflows.' }) file!: string;
  @Text({ nullable: true, says: 'Name of the workflow in the file; null when it cannot be read.' }) name!:
    string | null;
  @Parts(DefinitionProblemView) problems!: DefinitionProblem[];
}

export class WorkflowPage extends PageOf(WorkflowView) {
  @Parts(WorkflowFileView, { says: 'Files with errors. Their workflows keep the last valid version.' })
  brokenFiles!: WorkflowFileView[];
}

export class WorkflowVersionView {
  @Text() version!: string;
  @OneOf(SOURCES) source!: WorkflowSource;
  @Text({ nullable: true, says: AUTHOR }) author!: string | null;
  @Time() createdAt!: Date;
}

export class FullWorkflowVersionView extends WorkflowVersionView {
  @Text({ says: 'Text of the definition, as YAML.' }) definition!: string;
}

export class ValidationView {
  @Text({ nullable: true, says: 'document.name; null when it cannot be read.' }) name!: string | null;
  @Parts(DefinitionProblemView) problems!: DefinitionProblem[];
  @Text({ nullable: true, says: 'Mermaid flowchart; null while there are errors.' }) diagram!: string | null;
  @AnyObject({ nullable: true, says: 'JSON Schema of the input; null = any object.' }) inputSchema!: JsonObject | null;
}
