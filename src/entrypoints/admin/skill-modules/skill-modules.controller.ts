import { Body, Delete, Get, Param, ParseIntPipe, Post, Put } from '@nestjs/common';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, AuditsState } from '../api/audited.decorator.js';
import { MaxBody } from '../api/body/input.interceptor.js';
import { ChecksVersion, IfMatchNumber, ReturnsVersion } from '../api/versions/versions.decorators.js';
import { AdminSkillModules } from './admin-skill-modules.service.js';
import {
  FullModuleView,
  MODULE_MAX_BYTES,
  ModuleApprovalBody,
  ModuleCodeView,
  ModuleEnabledBody,
  ModuleListView,
  ModuleSettingsBody,
  ModuleSettingsView,
  ModuleUploadBody,
} from './skill-modules.schema.js';

/** Skill modules: files with code that the service runs in a separate process. Only the role admin may change them. */
@AdminController('skill-modules')
export class SkillModulesController {
  constructor(private readonly admin: AdminSkillModules) {}

  @Get()
  @Operation('listSkillModules', 'Lists the skill modules, and the files with mistakes')
  @Returns(ModuleListView)
  list(): ModuleListView {
    return this.admin.list();
  }

  @Post()
  @MaxBody(MODULE_MAX_BYTES)
  @Audited({ recordsResult: true })
  @Operation(
    'uploadSkillModule',
    'Saves a skill module, or a new version of one',
    'A file with `code`, or a ZIP archive of a folder with index.ts, in `base64`. Loads it in a thread of its own. Every mistake is one of `errors`.',
  )
  @Creates(FullModuleView)
  upload(@Body() body: ModuleUploadBody, @Admin() { user }: AdminIdentity): Promise<FullModuleView> {
    return this.admin.upload(body, user);
  }

  @Get(':name')
  @Operation('getSkillModule', 'Returns a skill module with its skills, code and versions')
  @Returns(FullModuleView)
  get(@Param('name') name: string): Promise<FullModuleView> {
    return this.admin.get(name);
  }

  @Delete(':name')
  @AuditsState('name')
  @Operation('deleteSkillModule', 'Removes an uploaded skill module, with its versions and its state')
  @NoContent()
  remove(@Param('name') name: string): Promise<void> {
    return this.admin.remove(name);
  }

  @Put(':name/enabled')
  @AuditsState('name')
  @Operation(
    'setSkillModuleEnabled',
    'Enables or disables a skill module',
    'Clients do not see the skills of disabled modules.',
  )
  @Returns(FullModuleView)
  setEnabled(
    @Param('name') name: string,
    @Body() { enabled }: ModuleEnabledBody,
    @Admin() { user }: AdminIdentity,
  ): Promise<FullModuleView> {
    return this.admin.setEnabled(name, enabled, user);
  }

  @Put(':name/approved')
  @AuditsState('name')
  @Operation(
    'approveSkillModule',
    'Approves the newest version of a skill module for clients',
    'With what it uses. Refused with 409 when it is another version, or another code than the one that `digest` is of.',
  )
  @Returns(FullModuleView)
  approve(
    @Param('name') name: string,
    @Body() body: ModuleApprovalBody,
    @Admin() { user }: AdminIdentity,
  ): Promise<FullModuleView> {
    return this.admin.approve(name, body, user);
  }

  @Get(':name/settings')
  @Operation('getSkillModuleSettings', 'Returns the settings of a skill module, with their values')
  @Returns(ModuleSettingsView)
  @ReturnsVersion()
  settings(@Param('name') name: string): ModuleSettingsView {
    return this.admin.settingsOf(name);
  }

  @Put(':name/settings')
  @Audited<SkillModulesController>({ state: (controller, { params }) => controller.settings(params['name'] ?? '') })
  @Operation(
    'setSkillModuleSettings',
    'Replaces the values of the settings of a skill module',
    'They take effect with the next call.',
  )
  @Returns(ModuleSettingsView)
  @ChecksVersion()
  @ReturnsVersion()
  setSettings(
    @Param('name') name: string,
    @Body() { values }: ModuleSettingsBody,
    @Admin() { user }: AdminIdentity,
    @IfMatchNumber() version?: number,
  ): Promise<ModuleSettingsView> {
    return this.admin.giveSettings(name, values, user, version);
  }

  @Get(':name/versions/:version/code')
  @Operation('getSkillModuleCode', 'Returns the code of a version')
  @Returns(ModuleCodeView)
  async code(@Param('name') name: string, @Param('version', ParseIntPipe) version: number): Promise<ModuleCodeView> {
    return { files: await this.admin.filesOf(name, version) };
  }
}
