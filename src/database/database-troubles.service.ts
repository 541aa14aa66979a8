import { Injectable } from '@nestjs/common';
import type { DatabaseUnavailable } from './database.errors.js';

/** What was tried that long ago says nothing about now. */
const RECENT_MS = 10_000;

/** Remembers when the database last said that it can't go on by itself, such as with a full disk. */
@Injectable()
export class DatabaseTroubles {
  private last: { problem: string; atMs: number } | null = null; // null = none yet

  note({ problem, isLasting }: DatabaseUnavailable, nowMs: number): void {
    if (isLasting) this.last = { problem, atMs: nowMs };
  }

  /** Null when there was none lately. */
  recent(nowMs: number): string | null {
    return this.last && nowMs - this.last.atMs < RECENT_MS ? this.last.problem : null;
  }
}
