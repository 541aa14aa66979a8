import { Module } from '@nestjs/common';
import { ResourcesModule } from '../../../core/resources/resources.module.js';
import { PackageEditsModule } from '../editing/package-edits.module.js';
import { SkillPackagesModule } from '../skill-packages.module.js';
import { SharedPackages } from './shared-packages.service.js';

@Module({
  imports: [ResourcesModule, SkillPackagesModule, PackageEditsModule],
  providers: [SharedPackages],
  exports: [SharedPackages],
})
export class SharedPackagesModule {}
