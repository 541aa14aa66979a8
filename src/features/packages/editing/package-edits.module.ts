import { Module } from '@nestjs/common';
import { SkillPackagesModule } from '../skill-packages.module.js';
import { PackageEdits } from './package-edits.service.js';

@Module({
  imports: [SkillPackagesModule],
  providers: [PackageEdits],
  exports: [PackageEdits],
})
export class PackageEditsModule {}
