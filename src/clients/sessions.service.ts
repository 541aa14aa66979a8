import { Injectable } from '@nestjs/common';
import type { LogLevel } from '#skill-kit';
import type { Page, PageRequest } from '../paging/page-cursor.js';
import { EventBus } from '../events/event-bus.service.js';
import { SessionNotFound } from './clients.errors.js';
import type { Session, SessionSummary } from './session.js';
import { SessionStore, type UnusedSessions } from './session.store.js';

/** MCP sessions of the 2025 era. Changes to a session that is gone do nothing. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly store: SessionStore,
    private readonly events: EventBus,
  ) {}

  find(id: string): Promise<Session | undefined> {
    return this.store.find(id);
  }

  create(session: Session): Promise<void> {
    return this.store.create(session);
  }

  touch(id: string, at: Date): Promise<void> {
    return this.store.update(id, { last_seen_at: at.toISOString() });
  }

  saveLogLevel(id: string, logLevel: LogLevel): Promise<void> {
    return this.store.update(id, { log_level: logLevel });
  }

  saveSubscriptions(id: string, subscriptions: string[]): Promise<void> {
    return this.store.update(id, { subscriptions: JSON.stringify(subscriptions) });
  }

  saveEventSeq(id: string, eventSeq: number): Promise<void> {
    return this.store.update(id, { event_seq: eventSeq });
  }

  /** The client ended it. Whether there was one. */
  delete(id: string): Promise<boolean> {
    return this.store.delete(id);
  }

  /** An administrator ends it; its open streams end too. @throws SessionNotFound */
  async end(id: string): Promise<void> {
    if (!(await this.store.delete(id))) throw new SessionNotFound(id);
    this.events.emit('session.ended', { id });
  }

  /** How many there were. */
  deleteIdle(before: Date): Promise<number> {
    return this.store.deleteIdle(before);
  }

  /** Ends up to `limit` of those not seen since `before`, the longest unused first. How many there were. */
  deleteUnused(unused: UnusedSessions): Promise<number> {
    return this.store.deleteUnused(unused);
  }

  /** The one seen last comes first. */
  listPage(page: PageRequest): Promise<Page<SessionSummary>> {
    return this.store.listPage(page);
  }

  /** Of one client, or of all. */
  count(client: string | null = null): Promise<number> {
    return this.store.count(client);
  }
}
