import { Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { AdminSkillModules } from './admin-skill-modules.service.js';
import { FullModuleView, SampleModuleListView } from './skill-modules.schema.js';

/** The skill modules that are shipped with the service. */
@AdminController('skill-module-samples')
export class SampleModulesController {
  constructor(private readonly admin: AdminSkillModules) {}

  @Get()
  @Operation('listSampleModules', 'Lists the skill modules that come with the service, and what they use')
  @ApiOkResponse({ type: SampleModuleListView })
  list(): Promise<SampleModuleListView> {
    return this.admin.listSamples();
  }

  @Post(':name')
  @Audited({ recordsResult: true })
  @Operation(
    'addSampleModule',
    'Saves a skill module that comes with the service',
    'As if it were uploaded: it waits for approval as uploads do. Refused with 409 when there is a module of its name.',
  )
  @ApiCreatedResponse({ type: FullModuleView })
  add(@Param('name') name: string, @Admin() { user }: AdminIdentity): Promise<FullModuleView> {
    return this.admin.addSample(name, user);
  }
}
