import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { SkillHandler } from '#skill-kit';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { ResourceRouter } from '../../../core/resources/resource.router.js';
import { ResourcesModule } from '../../../core/resources/resources.module.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { ProgramsModule } from '../programs/programs.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { PublishedEvents } from '../programs/published-events.service.js';
import { Repeats } from './repeats.service.js';
import { RunAnswerSkill } from './run-answer.skills.js';
import { RunFollowers } from './run-followers.service.js';
import { RunHousekeeping } from './run-housekeeping.service.js';
import { RunResults } from './run-results.service.js';
import { ApprovalExpiry } from './approval-expiry.service.js';
import { RunStore } from './run.store.js';
import { RunsService } from './runs.service.js';
import { RunCancelSkill, RunListSkill, RunStatusSkill } from './runs.skills.js';
import { PolicyModule } from '../../../access/policy/policy.module.js';
import { RunResources } from './runs.provider.js';

const RUNS = [RunStore, RunsService, RunFollowers, RunResults, RunHousekeeping, ApprovalExpiry, Repeats];
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
    SkillsModule,
    ResourcesModule,
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
