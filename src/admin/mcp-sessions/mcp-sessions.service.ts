import { Injectable } from '@nestjs/common';
import { ConnectedPrograms } from '../../clients/connected-programs.service.js';
import { SessionsService } from '../../clients/sessions.service.js';
import { mapPage, type Page, type PageRequest } from '../../paging/page-cursor.js';
import { type SessionView, toSessionView } from './mcp-sessions.schema.js';

/** Serves the MCP sessions to administrators, each with the number of its open streams. */
@Injectable()
export class McpSessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly programs: ConnectedPrograms,
  ) {}

  async listPage(page: PageRequest): Promise<Page<SessionView>> {
    const streams = this.programs.streamsBySession();
    return mapPage(await this.sessions.listPage(page), (session) =>
      toSessionView(session, streams.get(session.id) ?? 0),
    );
  }

  /** @throws SessionNotFound */
  end(id: string): Promise<void> {
    return this.sessions.end(id);
  }
}
