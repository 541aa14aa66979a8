import { Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { SessionQuery, SessionView } from './mcp-sessions.schema.js';
import { McpSessions } from './mcp-sessions.service.js';

/** Shows who is connected to the MCP endpoint. */
@AdminController('sessions')
export class McpSessionsController {
  constructor(private readonly sessions: McpSessions) {}

  @Get()
  @Operation('listSessions', 'Lists the MCP sessions, the one that was active last first')
  @ApiOkResponse({ type: PageOf(SessionView) })
  list(@Query() query: SessionQuery): Promise<Page<SessionView>> {
    return this.sessions.listPage(query);
  }

  @Delete(':id')
  @Audited({})
  @Operation('endSession', 'Ends an MCP session and closes its streams')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The session has ended, and its open streams are closed.' })
  end(@Param('id') id: string): Promise<void> {
    return this.sessions.end(id);
  }
}
