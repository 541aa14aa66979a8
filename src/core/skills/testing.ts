import {
  type Client,
  Skill,
  type SkillContext,
  type SkillHandler,
  type SkillOptions,
  type SkillOutput,
} from '#skill-kit';
import { settingsOn } from '../../platform/config/testing.js';
import type { SettingsService } from '../../platform/config/settings.service.js';
import type { Database } from '../../platform/database/database.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import type { PolicyService } from '../../access/policy/policy.service.js';
import { policyService } from '../../access/policy/testing.js';
import { SkillCatalogue, ToolLimitsService } from './skill-catalogue.service.js';
import { SkillStateStore } from './skill-state.store.js';
import { SchemaChecks } from './schema-checks.service.js';
import { SkillExecutor } from './skill-executor.service.js';
import { SkillRegistry } from './skill.registry.js';
import type { CallContext } from './skill-call.js';
import { SkillsService } from './skills.service.js';

export const ALICE: Client = { name: 'alice', groups: [] };
export const BOB: Client = { name: 'bob', groups: [] };

/** The call context of a client without optional capabilities. */
export const callContext = (more: Partial<CallContext> = {}): CallContext => ({
  signal: new AbortController().signal,
  answers: {},
  state: undefined,
  canAsk: false,
  followsTasks: false,
  step: null,
  progress: () => {},
  log: () => {},
  releaseConnection: () => {},
  ...more,
});

export function skillOf(
  options: Partial<SkillOptions> & { name: string },
  execute: (input: object, context: SkillContext) => SkillOutput | Promise<SkillOutput> = () => 'done',
): SkillHandler {
  @Skill({ description: 'Does what a test needs.', annotations: { readOnlyHint: true }, ...options })
  class Handler {
    execute(input: object, context: SkillContext) {
      return execute(input, context);
    }
  }
  return new Handler();
}

/** The slow part of the setup, which several tests can share. */
export interface SkillsGround {
  policy: PolicyService;
  settings: SettingsService;
  database: Database;
  /** Default: checks that the tests of a file share, because each starts a thread. */
  checks?: SchemaChecks;
}

const sharedChecks = new SchemaChecks();
afterAll(() => sharedChecks.beforeApplicationShutdown());

/** Creates the shared part, with these policies. */
export async function skillsGround(policies: Record<string, string> = {}): Promise<SkillsGround> {
  const database = await memoryDatabase();
  return { policy: await policyService(policies), settings: await settingsOn({ database }), database };
}

/** Creates the skill services, without any decisions by administrators. */
export function skillsOn(
  { policy, settings, database, checks = sharedChecks }: SkillsGround,
  ...handlers: SkillHandler[]
) {
  const { events, sent } = recordedEvents();
  const registry = new SkillRegistry(events);
  const catalogue = new SkillCatalogue(registry, new SkillStateStore(database), events);
  const limits = new ToolLimitsService(catalogue, settings);
  const executor = new SkillExecutor(limits, checks);
  const skills = new SkillsService(registry, catalogue, policy, executor, events);
  registry.register(...handlers);
  sent.length = 0;
  return { skills, registry, catalogue, limits, checks, sent };
}
