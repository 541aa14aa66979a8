import { Controller, HttpCode, Param, Post, Req, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { HookProblemFilter } from './hook-problem.filter.js';
import { Messages } from './messages.service.js';

/** Receives messages for webhooks. No key is needed: messages are signed. */
@ApiExcludeController()
@Controller('hooks')
@UseFilters(HookProblemFilter)
export class HooksController {
  constructor(private readonly messages: Messages) {}

  @Post(':name')
  @HttpCode(202)
  receive(@Param('name') name: string, @Req() request: Request): Promise<{ status: 'accepted' }> {
    return this.messages.receive(name, request);
  }
}
