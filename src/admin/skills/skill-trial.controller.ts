import { Body, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminController } from '../api/admin-controller.decorator.js';
import { SkillTrialBody } from './skill-trial.schema.js';
import { SkillTrials } from './skill-trials.service.js';

@AdminController('skills')
export class SkillTrialController {
  constructor(private readonly trials: SkillTrials) {}

  /** Calls the skill, and tells of the call as an MCP client would see it. Closing the connection cancels the call. */
  @Post(':name/try')
  @HttpCode(200)
  @ApiOkResponse({
    description:
      'JSON-RPC messages, one in the data of each event: notifications/progress and notifications/message while the ' +
      'skill runs, at last the response with the result or the error.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  run(@Param('name') name: string, @Body() body: SkillTrialBody, @Res() response: Response): Promise<void> {
    return this.trials.run(name, body.arguments, response);
  }
}
