import { Get, Param, Post } from '@nestjs/common';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { AdminController, Creates, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { AdminSkillModules } from './admin-skill-modules.service.js';
import { FullModuleView, SampleModuleListView } from './skill-modules.schema.js';

@AdminController('skill-module-samples')
export class SampleModulesController {
  constructor(private readonly admin: AdminSkillModules) {}

  @Get()
  @Operation('listSampleModules', 'Lists the sample skill modules of the service, and what they use')
  @Returns(SampleModuleListView)
  list(): Promise<SampleModuleListView> {
    return this.admin.listSamples();
  }

  @Post(':name')
  @Audited({ recordsResult: true })
  @Operation(
    'addSampleModule',
    'Adds a sample skill module of the service',
    'It may need approval, like an upload. Refused with 409 when a module has its name.',
  )
  @Creates(FullModuleView)
  add(@Param('name') name: string, @Admin() { user }: AdminIdentity): Promise<FullModuleView> {
    return this.admin.addSample(name, user);
  }
}
