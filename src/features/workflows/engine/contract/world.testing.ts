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

/** Follows a run to its end. */
export const FOREVER = { timeoutMs: 250_000, signal: new AbortController().signal };

/** Returns a function that makes and starts an engine, which is stopped after the test. Call it in a `describe` below that of `open`. */
export function startedAfter<Wanted extends unknown[], Made extends Pick<World, 'engine'>>(
  make: (...wanted: Wanted) => Promise<Made>,
): (...wanted: Wanted) => Promise<Made> {
  const engines: World['engine'][] = [];
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.beforeApplicationShutdown();
  });
  return async (...wanted) => {
    const made = await make(...wanted);
    engines.push(made.engine);
    await made.engine.onApplicationBootstrap();
    return made;
  };
}

/** Makes an engine on a database, without starting it. */
export type EngineOn = (database: Database, programs: Programs) => Promise<World>;

/** Makes and starts an engine, by default on a new database. It is stopped after the test. */
export type Start = (programs: Programs, database?: Database) => Promise<World>;
