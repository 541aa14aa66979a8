import { hash } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type CloudEvent, inputOf, isStartedBy, type WorkflowDefinition, WorkflowError } from '#open-workflow';
import { AppError } from '../../../../platform/errors/app-error.js';
import { RunExpressions } from '../../definitions/expressions.service.js';
import { SERVICE_CLIENT } from '../../runs/run.js';
import { RunsService } from '../../runs/runs.service.js';
import { TriggerClock } from '../clock.js';
import { isReservedType } from '../../runs/events/event-types.js';
import { EventWorkflows } from './event-workflows.service.js';
import { chainLengthOf, eventKey, identityOfEvent } from '../../runs/events/run-chain.store.js';
import { StartLimit } from './start-limit.js';

/** Without this limit, two workflows that are started by each other's end would never stop. */
const LONGEST_CHAIN = 10;
const MOST_STARTS = 1_000;
const WINDOW_MS = 3_600_000;

/** Starts one run of each workflow whose schedule names an event, whenever such an event is published. */
@Injectable()
export class TriggeredRuns implements OnModuleInit {
  private readonly logger = new Logger('Events');
  private readonly limit = new StartLimit(MOST_STARTS, WINDOW_MS, (workflow) =>
    this.logger.warn(
      `events of the service have started ${MOST_STARTS} runs of the workflow ${workflow} within an hour: until it is over, they start no more`,
    ),
  );

  constructor(
    private readonly runs: RunsService,
    private readonly workflows: EventWorkflows,
    private readonly expressions: RunExpressions,
    private readonly clock: TriggerClock,
  ) {}

  onModuleInit(): void {
    this.runs.subscribe((event) => this.receive(event));
  }

  /** The runs are durable when this resolves. Receiving the same event again, here or on another replica, starts no more. */
  private async receive(event: CloudEvent): Promise<void> {
    const workflows: WorkflowDefinition[] = [];
    for (const workflow of await this.workflows.list()) {
      if (await this.isStartedBy(workflow, event)) workflows.push(workflow);
    }
    const chainLength = chainLengthOf(event);
    if (workflows.length > 0 && chainLength >= LONGEST_CHAIN) {
      this.logger.warn(
        `the event ${event.type} starts nothing: ${chainLength} runs led to it, each started by an event of the one before`,
      );
      return;
    }
    for (const workflow of workflows) {
      if (this.admits(workflow.document.name, event)) await this.start(workflow, event, chainLength + 1);
    }
  }

  private async isStartedBy({ document, schedule }: WorkflowDefinition, event: CloudEvent): Promise<boolean> {
    try {
      return await isStartedBy(schedule, event, this.expressions);
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      this.logger.warn(`the event ${event.type} does not start the workflow ${document.name}: ${error.message}`);
      return false;
    }
  }

  /** Only events of the service are limited, because they may come in thousands; messages and emitted events are intentional. */
  private admits(workflow: string, { type }: CloudEvent): boolean {
    return !isReservedType(type) || this.limit.admits(workflow, this.clock.now().getTime());
  }

  // An error in one workflow must not prevent starting the others.
  private async start(
    { document: { name, version }, schedule = {} }: WorkflowDefinition,
    event: CloudEvent,
    chainLength: number,
  ): Promise<void> {
    const eventHash = hash('sha256', identityOfEvent(event), 'base64url');
    try {
      await this.runs.start({
        program: 'workflow',
        name,
        version,
        input: inputOf(schedule, event),
        origin: 'event',
        client: SERVICE_CLIENT,
        idempotencyKey: eventKey(chainLength, eventHash),
        isTest: false,
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error;
      this.logger.warn(`the event ${event.type} could not start the workflow ${name}: ${error.message}`);
    }
  }
}
