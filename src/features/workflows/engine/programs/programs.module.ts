import { Module } from '@nestjs/common';
import { ClientsModule } from '../../../../access/clients/clients.module.js';
import { SkillsModule } from '../../../../core/skills/skills.module.js';
import { DefinitionsModule } from '../../definitions/definitions.module.js';
import { Programs } from '../../runs/execution/program.js';
import { OutgoingHttpModule } from '../../../../platform/outgoing-http/outgoing-http.module.js';
import { HttpCalls } from '../../http-calls/http-calls.service.js';
import { WorkflowSecretsModule } from '../../secrets/workflow-secrets.module.js';
import { RunEventsModule } from '../../runs/events/run-events.module.js';
import { RunAgents } from './run-agents.service.js';
import { RunClients } from './run-clients.service.js';
import { RunHosts } from './run-hosts.service.js';
import { RunPrograms } from './run-programs.service.js';

@Module({
  imports: [ClientsModule, SkillsModule, DefinitionsModule, OutgoingHttpModule, WorkflowSecretsModule, RunEventsModule],
  providers: [HttpCalls, RunAgents, RunClients, RunHosts, RunPrograms, { provide: Programs, useExisting: RunPrograms }],
  exports: [Programs, RunAgents],
})
export class ProgramsModule {}
