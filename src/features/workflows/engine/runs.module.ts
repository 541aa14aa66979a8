import { Module, type OnModuleInit } from '@nestjs/common';
import { PolicyModule } from '../../../access/policy/policy.module.js';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { EnvironmentModule } from '../../../platform/environment/environment.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { servesResources } from '../../../core/resources/resource.router.js';
import { ResourcesModule } from '../../../core/resources/resources.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { RunEventsModule } from '../runs/events/run-events.module.js';
import { ProgramsModule } from './programs/programs.module.js';
import { EngineModule } from './engine.module.js';
import { PublishedEvents } from '../runs/events/published-events.service.js';
import { Repeats } from '../runs/repeats.service.js';
import { RunAnswers } from '../runs/run-answers.service.js';
import { RunFollowers } from '../runs/run-followers.service.js';
import { RunHousekeeping } from '../runs/run-housekeeping.service.js';
import { RunPages } from '../runs/run-pages.service.js';
import { RunResults } from '../runs/run-results.service.js';
import { ApprovalExpiry } from '../runs/approval-expiry.service.js';
import { RunStore } from '../runs/run.store.js';
import { RunsService } from '../runs/runs.service.js';
import { RunResources } from '../runs/runs.provider.js';
import { VisibleRuns } from '../runs/visible-runs.service.js';

const SEEN = [RunResults, RunPages, VisibleRuns];
const RUNS = [RunStore, RunsService, RunFollowers, RunHousekeeping, ApprovalExpiry, RunAnswers, Repeats];

@Module({
  imports: [
    ConfigModule,
    DatabaseModule,
    EngineModule,
    EnvironmentModule,
    EventsModule,
    PolicyModule,
    ProgramsModule,
    RunEventsModule,
    SkillsModule,
    ResourcesModule,
  ],
  providers: [RunResources, servesResources(RunResources), ...SEEN, ...RUNS],
  exports: [RunsService, RunAnswers, RunPages, Repeats, VisibleRuns],
})
export class RunsModule implements OnModuleInit {
  constructor(
    private readonly runs: RunsService,
    private readonly published: PublishedEvents,
  ) {}

  onModuleInit(): void {
    this.published.publishBy((event) => this.runs.publish(event));
  }
}
