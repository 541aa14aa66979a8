import { Delete, Get, Param, Query } from '@nestjs/common';
import { SessionNotFound } from '../../../access/clients/clients.errors.js';
import { ConnectedClients } from '../../../access/clients/connected-clients.service.js';
import { SessionStore } from '../../../access/clients/session.store.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { mapPage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { PageOf, PageQuery } from '../api/page.schema.js';
import type { SessionSummary } from '../../../access/clients/session.js';
import { Amount, Text, Time } from '../api/fields.decorators.js';

class SessionQuery extends PageQuery {
  @Text({ max: 64, optional: true, says: 'Name of a client: only its sessions.' }) client?: string;
}

class SessionView {
  @Text() id!: string;
  @Text({ says: 'Name of the client whose key the session uses.' }) client!: string;
  @Text({ nullable: true, says: 'Name that the connected program reports.' }) clientName!: string | null;
  @Text({ nullable: true }) clientVersion!: string | null;
  @Text({ example: '2025-11-25' }) protocolVersion!: string;
  @Time() since!: Date;
  @Time() lastSeen!: Date;
  @Amount({ says: 'Number of streams that the session holds open to this process.' }) streams!: number;
}

function toSessionView(session: SessionSummary, streams: number): SessionView {
  const { id, client, clientName, clientVersion, protocolVersion, createdAt, lastSeenAt } = session;
  return { id, client, clientName, clientVersion, protocolVersion, since: createdAt, lastSeen: lastSeenAt, streams };
}

/** Shows who is connected to the MCP endpoint. */
@AdminController('sessions')
export class McpSessionsController {
  constructor(
    private readonly sessions: SessionStore,
    private readonly programs: ConnectedClients,
    private readonly events: EventBus,
  ) {}

  @Get()
  @Operation('listSessions', 'Lists the MCP sessions, most recently active first')
  @Returns(PageOf(SessionView))
  async list(@Query() query: SessionQuery): Promise<Page<SessionView>> {
    const streams = this.programs.streamsBySession();
    return mapPage(await this.sessions.listPage(query), (session) =>
      toSessionView(session, streams.get(session.id) ?? 0),
    );
  }

  @Delete(':id')
  @Audited({})
  @Operation('endSession', 'Ends an MCP session and closes its streams')
  @NoContent('The session has ended, and its open streams are closed.')
  async end(@Param('id') id: string): Promise<void> {
    if (!(await this.sessions.delete(id))) throw new SessionNotFound(id);
    this.events.emit('session.ended', { id });
  }
}
