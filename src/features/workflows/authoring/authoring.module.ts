import { Module } from '@nestjs/common';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { DefinitionsModule } from '../definitions/definitions.module.js';
import { AuthoringOffers } from './authoring-offers.service.js';
import { AuthoringSkills } from './authoring-skills.provider.js';
import { WorkflowCheckSkill } from './workflow-check.skills.js';
import { WorkflowProposeSkill } from './workflow-propose.skills.js';
import { WorkflowTrySkill } from './workflow-try.skills.js';

@Module({
  imports: [ConfigModule, EventsModule, SkillsModule, DefinitionsModule, CallsModule],
  providers: [WorkflowCheckSkill, WorkflowProposeSkill, WorkflowTrySkill, AuthoringSkills, AuthoringOffers],
})
export class AuthoringModule {}
