import type { Database } from '../../../../platform/database/database.js';
import { ReplicaChannel } from '../../../../platform/database/replica-channel.service.js';
import { Environment, parseEnvironment } from '../../../../platform/environment/environment.js';
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
import { RestateEngine } from './restate-engine.service.js';
import { RestateRunStore } from './restate-run.store.js';

interface Cluster {
  ingressUrl: string;
  adminUrl: string;
}

/** Makes an engine on a database and a Restate cluster that calls it at a port, with the services on top of it. */
export function engineOnRestate(database: Database, programs: Programs, cluster: Cluster, port: number, keys = '') {
  const { events, sent } = recordedEvents();
  const environment = parseEnvironment({
    WORKFLOW_ENGINE: 'restate',
    RESTATE_INGRESS_URL: cluster.ingressUrl,
    RESTATE_ADMIN_URL: cluster.adminUrl,
    RESTATE_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    RESTATE_ENDPOINT_PORT: String(port),
    RESTATE_IDENTITY_KEYS: keys,
  });
  const stores = new EngineStores(new RunStateStore(database), new StepStore(database), new RunEventStore(database));
  const reports = new RunReports(events, new ReplicaChannel(new Environment(), database));
  const engine = new RestateEngine(stores, new RestateRunStore(database), programs, reports, environment);
  const results = new RunResults(new SkillRegistry(events));
  const runs = new RunsService(new RunStore(database), engine, programs, new RunFollowers(events), results);
  const answers = new RunAnswers(runs, engine, new SchemaChecks());
  return { engine, runs, answers, stores, sent };
}
