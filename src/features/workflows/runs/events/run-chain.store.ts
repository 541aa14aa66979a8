import { Injectable } from '@nestjs/common';
import type { CloudEvent } from '#open-workflow';
import { Database } from '../../../../platform/database/database.js';

export interface RunChain {
  /** Number of runs that led to it, each started by an event of the previous one; 0 = not started by an event. */
  length: number;
  isTest: boolean;
}

const EVENT_KEY = /^event (\d{1,9}) /;
const ATTRIBUTE = 'chainlength';

/** Returns the idempotency key of a run that is started by an event; the key includes the length of the chain. */
export const eventKey = (chainLength: number, eventHash: string): string => `event ${chainLength} ${eventHash}`;

/** Returns the event with the length of its chain, which `chainLengthOf` reads. Replaces any existing value. */
export const withChainLength = (event: CloudEvent, length: number): CloudEvent => ({ ...event, [ATTRIBUTE]: length });

/** Returns the number of runs that led to an event, each started by an event of the previous one. */
export function chainLengthOf({ [ATTRIBUTE]: length }: CloudEvent): number {
  return typeof length === 'number' ? length : 0;
}

const SINCE = 'sourcesince';

/** Returns the event with the creation time of its source: a later source of the same name may repeat its ids. */
export const withSourceSince = (event: CloudEvent, at: Date): CloudEvent => ({ ...event, [SINCE]: at.toISOString() });

/** Returns the unique identity of an event. */
export function identityOfEvent({ source, id, [SINCE]: since }: CloudEvent): string {
  return JSON.stringify(since === undefined ? [source, id] : [source, id, since]);
}

@Injectable()
export class RunChainStore {
  constructor(private readonly database: Database) {}

  /** Returns undefined when there is no such run, or no longer. A child has the chain of its topmost parent. */
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
