import { Body, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AdminSkills } from './admin-skills.service.js';
import { AdminController } from '../api/admin-controller.decorator.js';
import { SkillBody, SkillPage, SkillsQuery, SkillView } from './skills.schema.js';

@AdminController('skills')
export class SkillsController {
  constructor(private readonly skills: AdminSkills) {}

  @Get()
  @ApiOkResponse({ type: SkillPage })
  list(@Query() query: SkillsQuery): SkillPage {
    return this.skills.listPage(query);
  }

  @Get(':name')
  @ApiOkResponse({ type: SkillView })
  get(@Param('name') name: string): SkillView {
    return this.skills.get(name);
  }

  @Put(':name')
  @ApiOkResponse({ type: SkillView })
  setEnabled(@Param('name') name: string, @Body() body: SkillBody): Promise<SkillView> {
    return this.skills.setEnabled(name, body.enabled);
  }
}
