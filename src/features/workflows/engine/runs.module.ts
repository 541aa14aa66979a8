import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { SkillHandler } from '#skill-kit';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { ResourceRouter } from '../../../core/resources/resource.router.js';
import { ResourcesModule } from '../../../core/resources/resources.module.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { RunEventsModule } from '../runs/events/run-events.module.js';
import { ProgramsModule } from './programs/programs.module.js';
import { EngineModule } from './engine.module.js';
import { PublishedEvents } from '../runs/events/published-events.service.js';
import { Repeats } from '../runs/repeats.service.js';
import { AnswerTokens } from '../runs/answer-tokens.service.js';
import { RunAnswerSkill } from '../runs/run-answer.skills.js';
import { RunFollowers } from '../runs/run-followers.service.js';
import { RunHousekeeping } from '../runs/run-housekeeping.service.js';
import { RunResults } from '../runs/run-results.service.js';
import { ApprovalExpiry } from '../runs/approval-expiry.service.js';
import { RunStore } from '../runs/run.store.js';
import { RunsService } from '../runs/runs.service.js';
import { RunCancelSkill, RunListSkill, RunStatusSkill } from '../runs/runs.skills.js';
import { PolicyModule } from '../../../access/policy/policy.module.js';
import { RunResources } from '../runs/runs.provider.js';

const RUNS = [RunStore, RunsService, RunFollowers, RunResults, RunHousekeeping, ApprovalExpiry, AnswerTokens, Repeats];
const SKILLS = [RunListSkill, RunStatusSkill, RunCancelSkill, RunAnswerSkill];
const ALL_SKILLS = Symbol('the skills of runs');

@Module({
  imports: [
    PolicyModule,
    ConfigModule,
    DatabaseModule,
    EngineModule,
    EventsModule,
    ProgramsModule,
    RunEventsModule,
    SkillsModule,
    ResourcesModule,
    SecretsModule,
  ],
  providers: [
    RunResources,
    ...SKILLS,
    { provide: ALL_SKILLS, useFactory: (...skills: SkillHandler[]) => skills, inject: SKILLS },
    ...RUNS,
  ],
  exports: [RunsService, Repeats],
})
export class RunsModule implements OnModuleInit {
  constructor(
    private readonly router: ResourceRouter,
    private readonly resources: RunResources,
    private readonly skills: SkillRegistry,
    private readonly runs: RunsService,
    private readonly published: PublishedEvents,
    @Inject(ALL_SKILLS) private readonly runSkills: SkillHandler[],
  ) {}

  onModuleInit(): void {
    this.router.register(this.resources);
    this.published.publishBy((event) => this.runs.publish(event));
    this.skills.register(...this.runSkills);
  }
}
