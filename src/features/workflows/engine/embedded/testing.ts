import { settingsOn } from '../../../../platform/config/testing.js';
import type { Database } from '../../../../platform/database/database.js';
import { ReplicaChannel } from '../../../../platform/database/replica-channel.service.js';
import { Environment } from '../../../../platform/environment/environment.js';
import { recordedEvents } from '../../../../platform/events/testing.js';
import { SchemaChecks } from '../../../../core/skills/schema-checks.service.js';
import { SkillRegistry } from '../../../../core/skills/skill.registry.js';
import { RunFollowers } from '../../runs/run-followers.service.js';
import { RunResults } from '../../runs/run-results.service.js';
import { RunStore } from '../../runs/run.store.js';
import { RunAnswers } from '../../runs/run-answers.service.js';
import { RunsService } from '../../runs/runs.service.js';
import { EngineStores } from '../engine-stores.service.js';
import type { Programs } from '../../runs/execution/program.js';
import { RunEventStore } from '../run-event.store.js';
import { RunReports } from '../run-reports.service.js';
import { RunStateStore } from '../run-state.store.js';
import { StepStore } from '../step.store.js';
import { EmbeddedEngine } from './embedded-engine.service.js';
import { Ownership } from './ownership.js';
import { SoleOwnership } from './sole-ownership.js';

/** So long that polling never finds anything. */
const SELDOM_MS = 3_600_000;

/** An engine without polling: it must be notified of each run. */
class ToldEngine extends EmbeddedEngine {
  protected override readonly pollEveryMs = SELDOM_MS;
}

/** Makes an engine on a database, with the services on top of it. */
export async function engineOn(
  database: Database,
  programs: Programs,
  ownership: Ownership = new SoleOwnership(),
  stores = storesOn(database),
  Engine: typeof EmbeddedEngine = ToldEngine,
) {
  const { events, sent } = recordedEvents();
  const channel = new ReplicaChannel(new Environment(), database);
  const settings = await settingsOn();
  const engine = new Engine(stores, programs, ownership, settings, new RunReports(events, channel));
  const runs = new RunsService(
    new RunStore(database),
    engine,
    programs,
    new RunFollowers(events),
    new RunResults(new SkillRegistry(events)),
  );
  const answers = new RunAnswers(runs, engine, new SchemaChecks());
  return { engine, runs, answers, stores, settings, events, sent };
}

export const storesOn = (database: Database): EngineStores =>
  new EngineStores(new RunStateStore(database), new StepStore(database), new RunEventStore(database));

/** Called with the name of a method and its arguments, before and after its work. */
type Meanwhile = (method: string, values: readonly unknown[], isDone: boolean) => Promise<unknown>;

/** Makes stores whose methods wait for a callback before and after their work. */
export function interruptedStoresOn(database: Database, meanwhile: Meanwhile): EngineStores {
  const { states, steps, events } = storesOn(database);
  return new EngineStores(
    interrupted(states, meanwhile),
    interrupted(steps, meanwhile),
    interrupted(events, meanwhile),
  );
}

function interrupted<Store extends object>(store: Store, meanwhile: Meanwhile): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...values: unknown[]) => {
        await meanwhile(String(name), values, false);
        const result: unknown = await Reflect.apply(member, target, values);
        await meanwhile(String(name), values, true);
        return result;
      };
    },
  });
}

/** Owns all partitions, until a test makes it lose them. */
export class LosableOwnership extends Ownership {
  lose = () => {};
  readonly owned = () => [0];
  readonly isLeaving = () => false;
  readonly partitionForNew = () => 0;
  readonly refresh = () => Promise.resolve();
  readonly close = () => Promise.resolve();

  onLost(listener: () => void): void {
    this.lose = listener;
  }
}
