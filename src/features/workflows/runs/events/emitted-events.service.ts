import { Injectable } from '@nestjs/common';
import { type CloudEvent, standardError } from '#open-workflow';
import { isReservedType } from './event-types.js';
import { RunChainStore, withChainLength } from './run-chain.store.js';

/** Prepares the events that runs emit. */
@Injectable()
export class EmittedEvents {
  constructor(private readonly chains: RunChainStore) {}

  /**
   * Returns the event to publish for one that a run emits. It has the length of its chain of runs, so that runs that start each
   * other eventually stop. @throws WorkflowError (validation) for events that only the service itself sends
   */
  async prepare(event: CloudEvent, runId: string): Promise<CloudEvent> {
    if (isReservedType(event.type)) {
      throw standardError(
        'validation',
        `only the service itself sends events of the type ${event.type}: choose another type`,
      );
    }
    return withChainLength(event, (await this.chains.find(runId))?.length ?? 0);
  }
}
