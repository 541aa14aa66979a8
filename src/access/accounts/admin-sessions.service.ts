import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AdminPassword } from './admin-password.service.js';
import { AdminSessionStore } from './admin-session.store.js';
import { type AdministratorAccount, type AdminRole, type AdminSession, BUILT_IN } from './administrator.js';

export const ADMIN_SESSION_MS = 12 * 60 * 60_000;
const EXTEND_AFTER_MS = 5 * 60_000;
const LONGEST_ADDRESS = 64;
const LONGEST_BROWSER = 200;

export interface OpenSession {
  user: string;
  role: AdminRole;
  expiresAt: Date;
  /** True when this use prolonged the session. */
  extended: boolean;
}

export interface SessionOrigin {
  address: string;
  browser: string | null;
  /** The provider at which the person logged in; left out = here. */
  provider?: string;
}

/**
 * Manages browser sessions. A session lasts until 12 hours after its last use, and ends when the password or the role of its
 * account changes: each use reads the current account.
 */
@Injectable()
export class AdminSessions {
  constructor(
    private readonly password: AdminPassword,
    private readonly store: AdminSessionStore,
  ) {}

  /**
   * Opens a session and returns its token, of which only the hash is stored; null when the account has changed since its
   * password was checked.
   */
  async open(
    { name, stamp }: AdministratorAccount,
    { address, browser, provider }: SessionOrigin,
    now: Date,
  ): Promise<{ token: string; expiresAt: Date } | null> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now.getTime() + ADMIN_SESSION_MS);
    await this.store.deleteEnded(now);
    const isOpen = await this.store.create({
      idHash: this.hashOf(token, name),
      id: randomBytes(9).toString('base64url'),
      administrator: name,
      stamp,
      address: address.slice(0, LONGEST_ADDRESS),
      browser: browser?.slice(0, LONGEST_BROWSER) ?? null,
      provider: provider ?? null,
      createdAt: now,
      expiresAt,
    });
    return isOpen ? { token, expiresAt } : null;
  }

  /** Returns the session of a token; null when it has ended or never existed. */
  async use(token: string, now: Date): Promise<OpenSession | null> {
    const session = await this.store.find(this.hashesOf(token));
    if (!session || session.expiresAt <= now) return null;
    const { idHash, administrator: user, role, expiresAt } = session;
    if (idHash !== this.hashOf(token, user)) return null;
    const later = new Date(now.getTime() + ADMIN_SESSION_MS);
    if (later.getTime() - expiresAt.getTime() < EXTEND_AFTER_MS) return { user, role, expiresAt, extended: false };
    await this.store.extend(idHash, later);
    return { user, role, expiresAt: later, extended: true };
  }

  /** Returns the id of the account's session with this token, if it was opened with a password; else null. */
  async idOfPasswordSession(token: string, administrator: string): Promise<string | null> {
    const session = await this.store.find(this.hashesOf(token));
    return session?.administrator === administrator && session.provider === null ? session.id : null;
  }

  /** Returns the open sessions of an account, the latest first. */
  async list(administrator: string, now: Date): Promise<AdminSession[]> {
    return (await this.store.list(administrator, now)).map(({ id, address, browser, createdAt, expiresAt }) => {
      return { id, address, browser, createdAt, lastUsedAt: new Date(expiresAt.getTime() - ADMIN_SESSION_MS) };
    });
  }

  /** Ends the session of a token; returns the provider at which its person logged in, if there was one. */
  close(token: string): Promise<string | null> {
    return this.store.delete(this.hashesOf(token));
  }

  /** Ends one session of an account; returns false when it has no such session. */
  end(administrator: string, id: string): Promise<boolean> {
    return this.store.deleteOne(administrator, id);
  }

  /** The account is known only once the session is found, so a token can have either of two hashes. */
  private hashesOf(token: string): string[] {
    return [this.hashOf(token, BUILT_IN), this.hashOf(token, '')];
  }

  private hashOf(token: string, name: string): string {
    return createHmac('sha256', this.password.sessionKey(name)).update(token).digest('base64');
  }
}
