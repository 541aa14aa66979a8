import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AdminPassword } from './admin-password.service.js';
import { AdminSessionStore } from './admin-session.store.js';

export const ADMIN_SESSION_MS = 12 * 60 * 60_000;
const EXTEND_AFTER_MS = 5 * 60_000;

export interface OpenSession {
  expiresAt: Date;
  /** Whether this use prolonged the session. */
  extended: boolean;
}

/** Manages browser sessions. One lasts until 12 hours after its last use, and ends when the password changes. */
@Injectable()
export class AdminSessions {
  constructor(
    private readonly password: AdminPassword,
    private readonly store: AdminSessionStore,
  ) {}

  /** Opens a session and returns its token, of which only the hash is stored. */
  async open(now: Date): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now.getTime() + ADMIN_SESSION_MS);
    await this.store.deleteExpired(now);
    await this.store.create(this.hashOf(token), now, expiresAt);
    return { token, expiresAt };
  }

  /** Returns the session of a token; null when it has expired or never existed. */
  async use(token: string, now: Date): Promise<OpenSession | null> {
    const idHash = this.hashOf(token);
    const expiresAt = await this.store.findExpiry(idHash);
    if (!expiresAt || expiresAt <= now) return null;
    const later = new Date(now.getTime() + ADMIN_SESSION_MS);
    if (later.getTime() - expiresAt.getTime() < EXTEND_AFTER_MS) return { expiresAt, extended: false };
    await this.store.extend(idHash, later);
    return { expiresAt: later, extended: true };
  }

  async close(token: string): Promise<void> {
    await this.store.delete(this.hashOf(token));
  }

  private hashOf(token: string): string {
    return createHmac('sha256', this.password.fingerprint()).update(token).digest('base64');
  }
}
