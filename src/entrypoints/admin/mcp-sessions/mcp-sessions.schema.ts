import type { SessionSummary } from '../../../access/clients/session.js';
import { Amount, Text, Time } from '../api/fields.decorators.js';
import { PageQuery } from '../api/page.schema.js';

export class SessionQuery extends PageQuery {
  @Text({ max: 64, optional: true, says: 'Name of a client: only its sessions.' }) client?: string;
}

export class SessionView {
  @Text() id!: string;
  @Text({ says: 'Name of the client whose key the session uses.' }) client!: string;
  @Text({ nullable: true, says: 'Name that the connected program reports.' }) clientName!: string | null;
  @Text({ nullable: true }) clientVersion!: string | null;
  @Text({ example: '2025-11-25' }) protocolVersion!: string;
  @Time() since!: Date;
  @Time() lastSeen!: Date;
  @Amount({ says: 'Number of streams that the session holds open to this process.' }) streams!: number;
}

export function toSessionView(session: SessionSummary, streams: number): SessionView {
  const { id, client, clientName, clientVersion, protocolVersion, createdAt, lastSeenAt } = session;
  return { id, client, clientName, clientVersion, protocolVersion, since: createdAt, lastSeen: lastSeenAt, streams };
}
