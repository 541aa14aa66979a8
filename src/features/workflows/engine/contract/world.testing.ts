import type { Database } from '../../../../platform/database/database.js';
import type { RunAnswers } from '../../runs/run-answers.service.js';
import type { RunsService } from '../../runs/runs.service.js';
import type { Programs } from '../../runs/execution/program.js';

/** An engine with the service over it. */
export interface World {
  engine: { onApplicationBootstrap(): Promise<void>; beforeApplicationShutdown(): Promise<void> };
  runs: RunsService;
  answers: RunAnswers;
  /** The events that were sent, in their order. */
  sent: readonly (readonly [name: string, event: unknown])[];
}

/** Makes an engine on a database, which has not been started. */
export type EngineOn = (database: Database, programs: Programs) => Promise<World>;
