import { Module } from '@nestjs/common';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { Environment } from '../../../platform/environment/environment.js';
import { EnvironmentModule } from '../../../platform/environment/environment.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { ProgramsModule } from './programs/programs.module.js';
import { EmbeddedEngine } from './embedded/embedded-engine.service.js';
import type { Ownership } from './embedded/ownership.js';
import { PostgresOwnership } from './embedded/postgres-ownership.js';
import { SoleOwnership } from './embedded/sole-ownership.js';
import { EngineStores } from './engine-stores.service.js';
import { Programs } from '../runs/execution/program.js';
import { RestateEngine } from './restate/restate-engine.service.js';
import { RestateRunStore } from './restate/restate-run.store.js';
import { RunEngine } from '../runs/execution/run-engine.js';
import { RunEventStore } from './run-event.store.js';
import { RunReports } from './run-reports.service.js';
import { RunStateStore } from './run-state.store.js';
import { StepStore } from './step.store.js';

const ownershipOf = ({ DATABASE_URL }: Environment): Ownership =>
  DATABASE_URL === null ? new SoleOwnership() : new PostgresOwnership(DATABASE_URL);

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

@Module({
  imports: [ConfigModule, DatabaseModule, EnvironmentModule, EventsModule, ProgramsModule],
  providers: ENGINE,
  exports: [RunEngine, RunEventStore],
})
export class EngineModule {}
