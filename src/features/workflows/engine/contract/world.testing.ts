import type { Database } from '../../../../platform/database/database.js';
import type { RunAnswers } from '../../runs/run-answers.service.js';
import type { RunsService } from '../../runs/runs.service.js';
import type { Programs } from '../../runs/execution/program.js';

/** An engine with the services on top of it. */
export interface World {
  engine: { onApplicationBootstrap(): Promise<void>; beforeApplicationShutdown(): Promise<void> };
  runs: RunsService;
  answers: RunAnswers;
  /** The events that were sent, in order. */
  sent: readonly (readonly [name: string, event: unknown])[];
}

/** Makes an engine on a database, without starting it. */
export type EngineOn = (database: Database, programs: Programs) => Promise<World>;
