import { Module } from '@nestjs/common';
import { AuditModule } from '../../../access/audit/audit.module.js';
import { ClientsModule } from '../../../access/clients/clients.module.js';
import { PolicyModule } from '../../../access/policy/policy.module.js';
import { DefinitionsModule } from '../../../features/workflows/definitions/definitions.module.js';
import { ResourcesModule } from '../../../core/resources/resources.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { AdminPolicies } from './admin-policies.service.js';
import { PoliciesController } from './policies.controller.js';
import { PolicyChecker } from './policy-checker.service.js';
import { PolicyDrafts, PolicySubjects, PolicyTrials } from './policy-trials.service.js';
import { PolicyReader } from './policy-reader.service.js';

@Module({
  imports: [
    AccountsModule,
    AdminBodiesModule,
    AuditModule,
    ClientsModule,
    DefinitionsModule,
    PolicyModule,
    ResourcesModule,
    SkillsModule,
  ],
  controllers: [PoliciesController],
  providers: [AdminPolicies, PolicyChecker, PolicyDrafts, PolicyReader, PolicySubjects, PolicyTrials],
})
export class AdminPoliciesModule {}
