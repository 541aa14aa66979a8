import { randomUUID } from 'node:crypto';
import { JqExpressions } from '#open-workflow';
import type { Database } from '../../../platform/database/database.js';
import { ReplicaChannel } from '../../../platform/database/replica-channel.service.js';
import { Environment } from '../../../platform/environment/environment.js';
import { recordedEvents } from '../../../platform/events/testing.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { DefinitionChecker } from './definition-checker.service.js';
import { DefinitionReader } from './definition-reader.service.js';
import { WorkflowDefinitions } from './workflow-definitions.service.js';
import { WorkflowStore } from './workflow.store.js';

export const workflowText = (name: string, version = '1.0.0', task = 'wait: PT1S'): string => `document:
  dsl: 1.0.3
  namespace: test
  name: ${name}
  version: ${version}
  summary: Does something.
do:
  - work:
      ${task}
`;

/** Expressions that start their threads only when they are used. */
class TestExpressions extends JqExpressions {
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** Makes the definitions on a database, with real collaborators. */
export async function definitionsOn(database: Database) {
  const { events, sent } = recordedEvents();
  const skills = new SkillRegistry(events);
  const expressions = new TestExpressions();
  const checker = new DefinitionChecker(new DefinitionReader(), skills, expressions);
  const store = new WorkflowStore(database);
  const replicas = new ReplicaChannel(new Environment(), database);
  const definitions = new WorkflowDefinitions(store, checker, skills, events, replicas);
  await definitions.onModuleInit();
  return { definitions, store, skills, events, sent, close: () => expressions.close() };
}

/** Records a run of a version. @param owner owner of the run */
export async function addRun(database: Database, name: string, version: string, owner = 'test'): Promise<void> {
  await database
    .insertInto('workflow_runs')
    .values({
      id: randomUUID(),
      program: 'workflow',
      name,
      version,
      status: 'completed',
      partition: 0,
      epoch: 1,
      origin: 'call',
      client: 'test',
      owner,
      client_groups: '[]',
      input: '{}',
      is_test: 0,
      questions: 0,
      root: 'root',
      depth: 0,
      created_at: '2026-11-01T00:00:00.000Z',
      updated_at: '2026-11-01T00:00:00.000Z',
    })
    .execute();
}
