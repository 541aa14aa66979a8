import { Injectable } from '@nestjs/common';
import { unusedSince } from '#mcp-http';
import { SessionStore } from '../../access/clients/session.store.js';
import { SettingsService } from '../../platform/config/settings.service.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { ChangeLogStore } from './change-log.store.js';
import { StreamJournalStore } from './stream-journal.store.js';

const EVERY_MS = 60_000;
const FINISHED_STREAM_MS = 5 * 60_000;
const UNFINISHED_STREAM_MS = 24 * 3_600_000;

/** Deletes data that no client will need again: idle sessions, old changes, ended streams. */
@Injectable()
export class Housekeeping extends PeriodicWork {
  constructor(
    private readonly sessions: SessionStore,
    private readonly settings: SettingsService,
    private readonly changes: ChangeLogStore,
    private readonly journal: StreamJournalStore,
  ) {
    super(EVERY_MS);
  }

  async tick(now: Date): Promise<void> {
    await this.sessions.deleteIdle(unusedSince(now, this.settings.get('mcp.session_idle_ms')));
    await this.journal.prune({ finishedMs: FINISHED_STREAM_MS, openedMs: UNFINISHED_STREAM_MS }, now);
    await this.journal.trim();
    await this.changes.prune();
  }
}
