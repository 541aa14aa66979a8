import { Body, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { SettingConflict } from '../../../platform/config/config.errors.js';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, Operation, Returns } from '../api/admin-controller.decorator.js';
import { AuditsState } from '../api/audited.decorator.js';
import { ChecksVersion, IfMatch, ReturnsVersion } from '../api/versions/versions.decorators.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import { PageOf } from '../api/page.schema.js';
import { GeneratedSecret, Setting, SettingBody } from './settings.schema.js';

@AdminController('config')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Get()
  @Operation('listSettings', 'Lists all settings')
  @Returns(PageOf(Setting))
  list(): Page<Setting> {
    return onePage(this.settings.list());
  }

  @Get(':key')
  @Operation('getSetting', 'Returns one setting')
  @Returns(Setting)
  @ReturnsVersion()
  get(@Param('key') key: string): Setting {
    return this.settings.describe(key);
  }

  @Put(':key')
  @AuditsState('key')
  @Operation('setSetting', 'Changes a setting, with immediate effect')
  @Returns(Setting)
  @ChecksVersion()
  @ReturnsVersion()
  set(@Param('key') key: string, @Body() body: SettingBody, @IfMatch() version?: string): Promise<Setting> {
    return this.settings.set(key, body.value, version).catch(withPresent);
  }

  @Delete(':key')
  @AuditsState('key')
  @Operation('resetSetting', 'Resets a setting to its default', 'Deletes a secret or a credential.')
  @Returns(Setting)
  @ChecksVersion()
  @ReturnsVersion()
  reset(@Param('key') key: string, @IfMatch() version?: string): Promise<Setting> {
    return this.settings.reset(key, version).catch(withPresent);
  }

  @Post(':key/generate')
  @AuditsState('key')
  @Operation('generateSecret', 'Generates a new secret and shows it once')
  @Creates(GeneratedSecret)
  async generate(@Param('key') key: string): Promise<GeneratedSecret> {
    return { key, value: await this.settings.generate(key) };
  }
}

function withPresent(error: unknown): never {
  throw error instanceof SettingConflict ? new OutdatedChange(error, error.present) : error;
}
