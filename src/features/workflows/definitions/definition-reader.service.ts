import { Injectable } from '@nestjs/common';
import { type Inspection, inspectWorkflow } from '#open-workflow';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { JobAborted } from '../../../platform/threads/threads.errors.js';
import type { DefinitionJobs } from './definitions.worker.js';

/** The thread that reads long texts of workflows. */
export const DEFINITION_READER = {
  name: 'definition-reader',
  entry: 'features/workflows/definitions/definitions.worker',
  heapMegabytes: 192,
};

/** Shorter texts take about 20 ms at most, and are read on the main thread. */
const LONG_CHARACTERS = 5_000;

/** Reads the texts of workflows: short ones synchronously, long ones in a separate thread. */
@Injectable()
export class DefinitionReader extends ThreadOwner {
  protected readonly thread = new GuardedThread<DefinitionJobs>(DEFINITION_READER);

  /** Parses and checks a text by itself. @throws ThreadStopped */
  async read(text: string): Promise<Inspection> {
    if (text.length < LONG_CHARACTERS) return inspectWorkflow(text);
    try {
      return await this.thread.run('inspectWorkflow', text);
    } catch (error) {
      if (error instanceof JobAborted) return notReadable(error);
      throw error;
    }
  }
}

function notReadable({ message }: JobAborted): Inspection {
  const start = { path: '', line: 1, column: 1 };
  return {
    definition: null,
    problems: [{ severity: 'error', ...start, message }],
    expressions: [],
    calls: [],
    subflows: [],
    events: [],
    name: null,
    places: { name: start, version: start },
  };
}
