import { Injectable } from '@nestjs/common';
import { SessionNotFound } from '../../../access/clients/clients.errors.js';
import { ConnectedClients } from '../../../access/clients/connected-clients.service.js';
import { SessionStore, type SessionsRequest } from '../../../access/clients/session.store.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { mapPage, type Page } from '../../../platform/paging/page-cursor.js';
import { type SessionView, toSessionView } from './mcp-sessions.schema.js';

/** Serves the MCP sessions to administrators, each with the number of its open streams. */
@Injectable()
export class McpSessions {
  constructor(
    private readonly sessions: SessionStore,
    private readonly programs: ConnectedClients,
    private readonly events: EventBus,
  ) {}

  async listPage(page: SessionsRequest): Promise<Page<SessionView>> {
    const streams = this.programs.streamsBySession();
    return mapPage(await this.sessions.listPage(page), (session) =>
      toSessionView(session, streams.get(session.id) ?? 0),
    );
  }

  /** Ends a session; the endpoint closes its streams. @throws SessionNotFound */
  async end(id: string): Promise<void> {
    if (!(await this.sessions.delete(id))) throw new SessionNotFound(id);
    this.events.emit('session.ended', { id });
  }
}
