import { Module } from '@nestjs/common';
import { ClientsModule } from '../../../access/clients/clients.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { DefinitionsModule } from '../definitions/definitions.module.js';
import { Programs } from '../engine/program.js';
import { HttpCallsModule } from '../http-calls/http-calls.module.js';
import { WorkflowSecretsModule } from '../secrets/workflow-secrets.module.js';
import { EmittedEventsModule } from '../triggers/events/emitted-events.module.js';
import { ExpressionsModule } from './expressions.module.js';
import { PublishedEvents } from './published-events.service.js';
import { RunClients } from './run-clients.service.js';
import { RunHosts } from './run-hosts.service.js';
import { RunPrograms } from './run-programs.service.js';

@Module({
  imports: [
    ClientsModule,
    ExpressionsModule,
    SkillsModule,
    DefinitionsModule,
    HttpCallsModule,
    WorkflowSecretsModule,
    EmittedEventsModule,
  ],
  providers: [RunClients, RunHosts, PublishedEvents, RunPrograms, { provide: Programs, useExisting: RunPrograms }],
  exports: [Programs, PublishedEvents, ExpressionsModule],
})
export class ProgramsModule {}
