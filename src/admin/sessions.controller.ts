import { Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { SessionsService } from '../clients/sessions.service.js';
import type { Page } from '../database/page-cursor.js';
import { AdminController } from './http/admin-controller.decorator.js';
import { mapPage, PageOf, PageQuery } from './http/page.schema.js';
import { SessionView, toSessionView } from './sessions.schema.js';

/** Who is connected to the MCP endpoint. */
@AdminController('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /** The one seen last comes first. */
  @Get()
  @ApiOkResponse({ type: PageOf(SessionView) })
  async list(@Query() query: PageQuery): Promise<Page<SessionView>> {
    return mapPage(await this.sessions.listPage(query), toSessionView);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Ended, with its open streams.' })
  end(@Param('id') id: string): Promise<void> {
    return this.sessions.end(id);
  }
}
