import { Body, Delete, Get, Param, ParseIntPipe, Post, Put, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, ChangesNothing, AuditsState } from '../api/audited.decorator.js';
import { MaxBody } from '../api/body/input.interceptor.js';
import {
  ChecksVersion,
  IfMatchNumber,
  MayOnlyAdd,
  OnlyAdds,
  ReturnsVersion,
} from '../api/versions/versions.decorators.js';
import { AdminSkillPackages } from './admin-skill-packages.service.js';
import { DRAFT_MAX_BYTES, DraftReportView, PackageDraftBody, WrittenPackageBody } from './package-edits.schema.js';
import {
  FullPackageView,
  PackageComparisonView,
  PackageEnabledBody,
  PackageFileQuery,
  PackageFileView,
  PackageListView,
  PackageUploadBody,
  PackageVersionBody,
  UPLOAD_MAX_BYTES,
} from './skill-packages.schema.js';

@AdminController('skill-packages')
export class SkillPackagesController {
  constructor(private readonly admin: AdminSkillPackages) {}

  @Get()
  @Operation(
    'listSkillPackages',
    'Lists the skill packages, the folders with mistakes, and the removed packages that can be restored',
  )
  @Returns(PackageListView)
  list(): Promise<PackageListView> {
    return this.admin.list();
  }

  @NeedsRole('editor')
  @Post()
  @MaxBody(UPLOAD_MAX_BYTES)
  @Audited({ recordsResult: true })
  @Operation(
    'uploadSkillPackage',
    'Saves a skill package, or a new version of one',
    '`errors` has every mistake, with its file and line.',
  )
  @Creates(FullPackageView)
  upload(@Body() body: PackageUploadBody, @Admin() { user }: AdminIdentity): Promise<FullPackageView> {
    return this.admin.upload(body, user);
  }

  @NeedsRole('editor')
  @Post('check')
  @MaxBody(DRAFT_MAX_BYTES)
  @ChangesNothing()
  @Operation(
    'checkSkillPackage',
    'Checks a skill package that is being edited, and returns what clients would get',
    'Nothing is saved.',
  )
  @Returns(DraftReportView)
  check(@Body() body: PackageDraftBody): Promise<DraftReportView> {
    return this.admin.check(body);
  }

  @Get(':name')
  @Operation('getSkillPackage', 'Returns a skill package with its instructions, files and versions')
  @Returns(FullPackageView)
  @ReturnsVersion()
  get(@Param('name') name: string): Promise<FullPackageView> {
    return this.admin.get(name);
  }

  @NeedsRole('editor')
  @Put(':name')
  @MaxBody(UPLOAD_MAX_BYTES)
  @AuditsState('name')
  @Operation(
    'saveSkillPackage',
    'Saves an edited skill package with all its files',
    'Creates the package, or a new version of it. `errors` has every mistake, with its file and line.',
  )
  @Returns(FullPackageView)
  @MayOnlyAdd()
  @ChecksVersion()
  @ReturnsVersion()
  save(
    @Param('name') name: string,
    @Body() body: WrittenPackageBody,
    @Admin() { user }: AdminIdentity,
    @IfMatchNumber() version?: number,
    @OnlyAdds() none?: number,
  ): Promise<FullPackageView> {
    return this.admin.save(name, body, user, version ?? none);
  }

  @NeedsRole('editor')
  @Delete(':name')
  @AuditsState('name')
  @Operation('deleteSkillPackage', 'Removes a skill package', 'It can be restored for 30 days.')
  @NoContent()
  remove(@Param('name') name: string, @Admin() { user }: AdminIdentity): Promise<void> {
    return this.admin.remove(name, user);
  }

  @NeedsRole('editor')
  @Post(':name/restore')
  @Audited({ recordsResult: true })
  @Operation('restoreSkillPackage', 'Restores a removed skill package, with its versions')
  @Returns(FullPackageView)
  restore(@Param('name') name: string, @Admin() { user }: AdminIdentity): Promise<FullPackageView> {
    return this.admin.restore(name, user);
  }

  @NeedsRole('editor')
  @Put(':name/enabled')
  @AuditsState('name')
  @Operation('setSkillPackageEnabled', 'Enables or disables a skill package', 'Clients do not see disabled packages.')
  @Returns(FullPackageView)
  setEnabled(
    @Param('name') name: string,
    @Body() { enabled }: PackageEnabledBody,
    @Admin() { user }: AdminIdentity,
  ): Promise<FullPackageView> {
    return this.admin.setEnabled(name, enabled, user);
  }

  @NeedsRole('editor')
  @Put(':name/current')
  @AuditsState('name')
  @Operation('setCurrentSkillPackageVersion', 'Selects the version that clients get')
  @Returns(FullPackageView)
  setCurrent(
    @Param('name') name: string,
    @Body() { version }: PackageVersionBody,
    @Admin() { user }: AdminIdentity,
  ): Promise<FullPackageView> {
    return this.admin.setCurrent(name, version, user);
  }

  @Get(':name/versions/:version/file')
  @Operation('getSkillPackageFile', 'Returns the text of a file of a version')
  @Returns(PackageFileView)
  file(
    @Param('name') name: string,
    @Param('version', ParseIntPipe) version: number,
    @Query() { path }: PackageFileQuery,
  ): Promise<PackageFileView> {
    return this.admin.file(name, version, path);
  }

  @Get(':name/versions/:version/archive')
  @Operation('downloadSkillPackage', 'Returns a version as a ZIP archive, which can be uploaded again')
  @ApiOkResponse({ content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } })
  archive(@Param('name') name: string, @Param('version', ParseIntPipe) version: number): Promise<StreamableFile> {
    return this.admin.archive(name, version);
  }

  @Get(':name/versions/:version/since/:before')
  @Operation('compareSkillPackageVersions', 'Returns the files that differ between two versions, with their texts')
  @Returns(PackageComparisonView)
  compare(
    @Param('name') name: string,
    @Param('version', ParseIntPipe) version: number,
    @Param('before', ParseIntPipe) before: number,
  ): Promise<PackageComparisonView> {
    return this.admin.compare(name, before, version);
  }
}
