import { Body, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { AdminSkills } from './admin-skills.service.js';
import { SkillTrials } from './skill-trials.service.js';
import { SkillBody, SkillPage, SkillQuery, SkillsQuery, SkillTrialBody, SkillView } from './skills.schema.js';

@AdminController('skills')
export class SkillsController {
  constructor(
    private readonly admin: AdminSkills,
    private readonly trials: SkillTrials,
  ) {}

  @Get()
  @Operation(
    'listSkills',
    'Lists the skills of all sources in alphabetical order',
    'Includes those that are not tools: skill packages, skills of modules and workflows that are disabled or wait for approval, and files with mistakes.',
  )
  @Returns(SkillPage)
  list(@Query() query: SkillsQuery): Promise<SkillPage> {
    return this.admin.listPage(query);
  }

  @Get(':name')
  @Operation('getSkill', 'Returns one skill, if it is a tool')
  @Returns(SkillView)
  get(@Param('name') name: string, @Query() { period }: SkillQuery): Promise<SkillView> {
    return this.admin.get(name, period);
  }

  @Put(':name')
  @Audited<SkillsController>({
    state: async (controller, { params }) => {
      const { enabled, timeoutMs, maxResultBytes } = await controller.get(params['name'] ?? '', { period: 'hour' });
      return { enabled, timeoutMs, maxResultBytes };
    },
  })
  @Operation('updateSkill', 'Enables or disables a skill, and sets the limits of its calls')
  @Returns(SkillView)
  update(@Param('name') name: string, @Body() body: SkillBody): Promise<SkillView> {
    return this.admin.update(name, body);
  }

  @NeedsRole('editor')
  @Post(':name/try')
  @Audited({ recordsFirst: true })
  @Operation(
    'trySkill',
    'Calls a skill and streams the messages that an MCP client would get',
    'Closing the connection cancels the call.',
  )
  @HttpCode(200)
  @ApiOkResponse({
    description:
      'JSON-RPC messages, one in the data of each event: notifications/progress and notifications/message while the ' +
      'skill runs, and finally the response with the result or the error.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  try(@Param('name') name: string, @Body() body: SkillTrialBody, @Res() response: Response): Promise<void> {
    return this.trials.run(name, body.arguments, response);
  }
}
