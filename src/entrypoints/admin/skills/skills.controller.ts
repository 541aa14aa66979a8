import { Body, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CallStatistics, type CallTotals } from '../../../access/audit/call-statistics.service.js';
import { type CatalogueEntry, SkillCatalogue } from '../../../core/skills/skill-catalogue.service.js';
import { mapPage } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { SkillTrials } from './skill-trials.service.js';
import { SkillBody, SkillPage, SkillQuery, SkillsQuery, SkillTrialBody, SkillView } from './skills.schema.js';

@AdminController('skills')
export class SkillsController {
  constructor(
    private readonly catalogue: SkillCatalogue,
    private readonly statistics: CallStatistics,
    private readonly trials: SkillTrials,
  ) {}

  @Get()
  @Operation('listSkills', 'Lists the skills in alphabetical order')
  @ApiOkResponse({ type: SkillPage })
  async list(@Query() { period, ...query }: SkillsQuery): Promise<SkillPage> {
    const totals = await this.statistics.totals('tool', period, new Date());
    const page = mapPage(this.catalogue.listPage(query), (skill) => withTotals(skill, totals));
    return { ...page, warnings: this.catalogue.warnings() };
  }

  @Get(':name')
  @Operation('getSkill', 'Returns one skill')
  @ApiOkResponse({ type: SkillView })
  async get(@Param('name') name: string, @Query() { period }: SkillQuery): Promise<SkillView> {
    return withTotals(this.catalogue.get(name), await this.statistics.totals('tool', period, new Date()));
  }

  @Put(':name')
  @Audited<SkillsController>({
    state: async (controller, { params }) => {
      const { enabled, timeoutMs, maxResultBytes } = await controller.get(params['name'] ?? '', { period: 'hour' });
      return { enabled, timeoutMs, maxResultBytes };
    },
  })
  @Operation('updateSkill', 'Enables or disables a skill, and sets the limits of its calls')
  @ApiOkResponse({ type: SkillView })
  async update(@Param('name') name: string, @Body() body: SkillBody): Promise<SkillView> {
    const { enabled, timeoutMs, maxResultBytes } = body;
    await this.catalogue.update(name, { enabled, timeoutMs, maxResultBytes });
    return this.get(name, { period: 'week' });
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

const withTotals = (skill: CatalogueEntry, totals: ReadonlyMap<string, CallTotals>): SkillView => {
  const { calls = 0, errors = 0, denied = 0 } = totals.get(skill.name) ?? {};
  return { ...skill, calls, errors, denied };
};
