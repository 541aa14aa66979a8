import { Injectable } from '@nestjs/common';
import type { LogLevel } from '#skill-kit';
import { EventBus } from '../events/event-bus.service.js';
import type { Page, PageRequest } from '../paging/page-cursor.js';
import { SessionNotFound } from './clients.errors.js';
import type { Session, SessionSummary } from './session.js';
import { SessionStore, type UnusedSessions } from './session.store.js';

/** Manages the MCP sessions of the 2025 era. Changing a session that no longer exists does nothing. */
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

  /** Deletes a session that its client has ended; returns whether there was one. */
  delete(id: string): Promise<boolean> {
    return this.store.delete(id);
  }

  /** Ends a session for an administrator; its open streams end too. @throws SessionNotFound */
  async end(id: string): Promise<void> {
    if (!(await this.store.delete(id))) throw new SessionNotFound(id);
    this.events.emit('session.ended', { id });
  }

  /** Deletes the sessions that nobody has used since `before`; returns how many. */
  deleteIdle(before: Date): Promise<number> {
    return this.store.deleteIdle(before);
  }

  /** Deletes up to `limit` of the sessions unused since `before`, the longest unused first; returns how many. */
  deleteUnused(unused: UnusedSessions): Promise<number> {
    return this.store.deleteUnused(unused);
  }

  /** Returns one page of sessions, the last used first. */
  listPage(page: PageRequest): Promise<Page<SessionSummary>> {
    return this.store.listPage(page);
  }

  /** Counts the sessions of one client, or of all clients when `client` is null. */
  count(client: string | null = null): Promise<number> {
    return this.store.count(client);
  }
}
