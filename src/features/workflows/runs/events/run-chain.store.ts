import { Injectable } from '@nestjs/common';
import type { CloudEvent } from '#open-workflow';
import { Database } from '../../../../platform/database/database.js';

/** What a run is the result of. */
export interface RunChain {
  /** How many runs led to it, each started by an event of the one before; 0 = it was not started by an event. */
  length: number;
  isTest: boolean;
}

const EVENT_KEY = /^event (\d{1,9}) /;
const ATTRIBUTE = 'chainlength';

/** Returns the idempotency key of a run that is started by an event; the key keeps the length of the chain. */
export const eventKey = (chainLength: number, eventHash: string): string => `event ${chainLength} ${eventHash}`;

/** Returns the event with what `chainLengthOf` reads: how many runs led to it. Whatever it said of that is replaced. */
export const withChainLength = (event: CloudEvent, length: number): CloudEvent => ({ ...event, [ATTRIBUTE]: length });

/** Returns how many runs led to an event, each started by an event of the one before. */
export function chainLengthOf({ [ATTRIBUTE]: length }: CloudEvent): number {
  return typeof length === 'number' ? length : 0;
}

const SINCE = 'sourcesince';

/** Returns the event with the time since which there is its source: another one of the same name may repeat its ids. */
export const withSourceSince = (event: CloudEvent, at: Date): CloudEvent => ({ ...event, [SINCE]: at.toISOString() });

/** Returns what tells an event from all others. */
export function identityOfEvent({ source, id, [SINCE]: since }: CloudEvent): string {
  return JSON.stringify(since === undefined ? [source, id] : [source, id, since]);
}

/** Finds out how a run came to be. */
@Injectable()
export class RunChainStore {
  constructor(private readonly database: Database) {}

  /** Returns undefined when there is no such run (any more). A child has the chain of the run at the top of its parents. */
  async find(runId: string): Promise<RunChain | undefined> {
    const row = await this.database
      .selectFrom('workflow_runs as run')
      .innerJoin('workflow_runs as root', 'root.id', 'run.root')
      .select(['root.idempotency_key', 'root.is_test'])
      .where('run.id', '=', runId)
      .executeTakeFirst();
    if (!row) return undefined;
    const [, length = '0'] = EVENT_KEY.exec(row.idempotency_key ?? '') ?? [];
    return { length: Number(length), isTest: row.is_test === 1 };
  }
}
