import { join } from 'node:path';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { SkillHandler } from '#skill-kit';
import { ConfigModule } from '../../config/config.module.js';
import { SettingsService } from '../../config/settings.service.js';
import { DatabaseModule } from '../../database/database.module.js';
import { Environment } from '../../environment/environment.js';
import { EnvironmentModule } from '../../environment/environment.module.js';
import { EventsModule } from '../../events/events.module.js';
import { SkillRegistry } from '../../skills/skill.registry.js';
import { SkillsModule } from '../../skills/skills.module.js';
import { EmbeddedEngine } from '../engine/embedded/embedded-engine.service.js';
import { PostgresOwnership } from '../engine/embedded/postgres-ownership.js';
import { SoleOwnership } from '../engine/embedded/sole-ownership.js';
import { EngineStores } from '../engine/engine-stores.service.js';
import { Programs } from '../engine/program.js';
import { RestateEngine } from '../engine/restate/restate-engine.service.js';
import { RestateRunStore } from '../engine/restate/restate-run.store.js';
import { RunEngine } from '../engine/run-engine.js';
import { RunEventStore } from '../engine/run-event.store.js';
import { RunReports } from '../engine/run-reports.service.js';
import { RunStateStore } from '../engine/run-state.store.js';
import { StepStore } from '../engine/step.store.js';
import { ProgramsModule } from '../programs/programs.module.js';
import { PublishedEvents } from '../programs/published-events.service.js';
import { Repeats } from './repeats.service.js';
import { RunAnswerSkill } from './run-answer.skills.js';
import { RunFollowers } from './run-followers.service.js';
import { RunHousekeeping } from './run-housekeeping.service.js';
import { RunResults } from './run-results.service.js';
import { RunStore } from './run.store.js';
import { RunsService } from './runs.service.js';
import { RunCancelSkill, RunListSkill, RunStatusSkill } from './runs.skills.js';

const ownershipOf = ({ DATABASE_URL, DATA_DIR }: Environment) =>
  DATABASE_URL === null ? new SoleOwnership(join(DATA_DIR, 'runs.lock')) : new PostgresOwnership(DATABASE_URL);

const engine = {
  provide: RunEngine,
  useFactory: (
    environment: Environment,
    stores: EngineStores,
    restateRuns: RestateRunStore,
    programs: Programs,
    settings: SettingsService,
    reports: RunReports,
  ) =>
    environment.WORKFLOW_ENGINE === 'restate'
      ? new RestateEngine(stores, restateRuns, programs, reports, environment)
      : new EmbeddedEngine(stores, programs, ownershipOf(environment), settings, reports),
  inject: [Environment, EngineStores, RestateRunStore, Programs, SettingsService, RunReports],
};

const ENGINE = [EngineStores, RunStateStore, StepStore, RunEventStore, RestateRunStore, RunReports, engine];
const SKILLS = [RunListSkill, RunStatusSkill, RunCancelSkill, RunAnswerSkill];
const ALL_SKILLS = Symbol('the skills of runs');

@Module({
  imports: [ConfigModule, DatabaseModule, EnvironmentModule, EventsModule, ProgramsModule, SkillsModule],
  providers: [
    ...ENGINE,
    ...SKILLS,
    { provide: ALL_SKILLS, useFactory: (...skills: SkillHandler[]) => skills, inject: SKILLS },
    RunStore,
    RunsService,
    RunFollowers,
    RunResults,
    RunHousekeeping,
    Repeats,
  ],
  exports: [RunsService, Repeats],
})
export class RunsModule implements OnModuleInit {
  constructor(
    private readonly skills: SkillRegistry,
    private readonly runs: RunsService,
    private readonly published: PublishedEvents,
    @Inject(ALL_SKILLS) private readonly runSkills: SkillHandler[],
  ) {}

  onModuleInit(): void {
    this.published.publishBy((event) => this.runs.publish(event));
    this.skills.register(...this.runSkills);
  }
}
