import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  inputOf,
  isStartedBy,
  type Json,
  type JsonObject,
  type WorkflowDefinition,
  WorkflowError,
} from '#open-workflow';
import { ADMIN_CLIENT } from '../../../access/audit/audit-entry.js';
import { RunExpressions } from '../../../features/workflows/definitions/expressions.service.js';
import { WorkflowDisabled } from '../../../features/workflows/definitions/definitions.errors.js';
import { WorkflowDefinitions } from '../../../features/workflows/definitions/workflow-definitions.service.js';
import type { Run } from '../../../features/workflows/runs/run.js';
import { RunsService } from '../../../features/workflows/runs/runs.service.js';
import { mistakesOf, triedEvent } from '../../../features/workflows/triggers/events/tried-event.rules.js';
import { EventInvalid, InputInvalid, StartedOtherwise } from './workflows.errors.js';
import type { StartBody } from './workflows.schema.js';

/** Characters of a filter that an error message shows. */
const LONGEST_FILTER = 500;

/** Starts workflows manually. Validates the input first, so that nobody has to look for the error in a failed run. */
@Injectable()
export class WorkflowStarts {
  constructor(
    private readonly workflows: WorkflowDefinitions,
    private readonly runs: RunsService,
    private readonly expressions: RunExpressions,
  ) {}

  /** @throws WorkflowNotFound, WorkflowDisabled, StartedOtherwise, InputInvalid, EventInvalid */
  async start(name: string, body: StartBody): Promise<Run> {
    const { version, idempotencyKey } = body;
    const workflow = await this.workflows.get(name);
    if (!workflow.enabled) throw new WorkflowDisabled(name);
    const started = version ?? workflow.version;
    const definition = await this.workflows.getDefinition(name, started);
    return this.runs.start({
      program: 'workflow',
      name,
      version: started,
      input: await this.inputFor(definition, body),
      origin: 'admin',
      client: ADMIN_CLIENT,
      idempotencyKey: idempotencyKey ?? null,
      isTest: false,
    });
  }

  private async inputFor(definition: WorkflowDefinition, { input, event }: StartBody) {
    const isByEvent = definition.schedule?.on !== undefined;
    if (isByEvent ? event === undefined || input !== undefined : event !== undefined)
      throw new StartedOtherwise(definition.document.name, isByEvent);
    const found = event ? await this.inputFrom(event, definition) : (input ?? {});
    await this.assertFits(found, definition);
    return found;
  }

  private async inputFrom(given: JsonObject, { schedule = {} }: WorkflowDefinition): Promise<Json> {
    const mistakes = mistakesOf(given);
    if (mistakes.length > 0) throw new EventInvalid(mistakes.join('; '));
    const event = triedEvent(given, schedule, randomUUID(), new Date());
    const filter = JSON.stringify(schedule.on?.one.with)?.slice(0, LONGEST_FILTER).toWellFormed();
    try {
      if (await isStartedBy(schedule, event, this.expressions)) return inputOf(schedule, event);
    } catch (error) {
      throw error instanceof WorkflowError ? new EventInvalid(error.problem.detail ?? error.message) : error;
    }
    throw new EventInvalid(`it does not start the workflow, whose filter is ${filter}`);
  }

  private async assertFits(input: Json, { input: declared }: WorkflowDefinition): Promise<void> {
    if (!declared?.schema) return;
    const mistakes = await this.expressions.validate(declared.schema.document, input).catch((error: unknown) => {
      if (error instanceof WorkflowError) return [error.problem.detail ?? error.message];
      throw error;
    });
    if (mistakes.length > 0) throw new InputInvalid(mistakes);
  }
}
