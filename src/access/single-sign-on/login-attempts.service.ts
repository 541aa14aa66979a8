import type { Request, Response } from 'express';
import { AdminCookies } from '../accounts/admin-cookies.service.js';
import { seal, unseal } from '../../platform/secrets/sealed-text.rules.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AccountIdentityStore } from './account-identity.store.js';
import type { AttemptSecrets } from './provider-client.service.js';

const ATTEMPT_MS = 10 * 60_000;
const PURPOSE = 'login attempt';

/** The account to link to an identity, and the browser session of the request. */
export interface LinkIntent {
  account: string;
  session: string;
}

/** A login that waits for the answer of the provider. */
export interface LoginAttempt extends AttemptSecrets {
  provider: string;
  issuer: string;
  /** The path to open after the login. */
  to: string;
  /** The link to make instead of a login; null = a login. */
  link: LinkIntent | null;
}

interface KeptAttempt extends LoginAttempt {
  until: number; // milliseconds since 1970
  /** The index of its cookie. */
  place: number;
}

/**
 * Keeps login attempts in sealed cookies of the browser that started them: any replica can handle the answer, no other browser
 * can use it, and strangers cannot fill up the storage of the service. An attempt lasts ten minutes and can be used once. A
 * browser can have four; a further one replaces the oldest.
 */
export class LoginAttempts {
  private constructor(
    private readonly cookies: AdminCookies,
    private readonly store: AccountIdentityStore,
    private readonly key: Buffer,
  ) {}

  static async load(
    cookies: AdminCookies,
    store: AccountIdentityStore,
    secrets: SecretsService,
  ): Promise<LoginAttempts> {
    return new LoginAttempts(cookies, store, await secrets.get('sso.attempts'));
  }

  remember(request: Request, response: Response, attempt: LoginAttempt, now: Date): void {
    const { sealed } = seal(JSON.stringify({ ...attempt, until: now.getTime() + ATTEMPT_MS }), this.key, PURPOSE);
    const value = Buffer.from(sealed, 'base64').toString('base64url');
    // A random free place: two tabs that start at the same moment do not know of each other.
    const places = this.kept(request, now).map((kept, place) => ({ place, until: kept?.until ?? Math.random() }));
    const { place } = places.reduce((best, other) => (other.until < best.until ? other : best));
    this.cookies.writeLogin(request, response, { place, value, maxAge: ATTEMPT_MS });
  }

  /** Returns the attempt of an answer with this state; null when this browser has started none, or it has ended. */
  find(request: Request, state: string | null, now: Date): KeptAttempt | null {
    return this.kept(request, now).find((attempt) => attempt?.state === state) ?? null;
  }

  /** Ends an attempt; returns false when it has ended before. */
  async use(request: Request, response: Response, attempt: KeptAttempt, now: Date): Promise<boolean> {
    this.cookies.clearLogin(request, response, attempt.place);
    return this.store.use(attempt.state, new Date(attempt.until), now);
  }

  /** Returns the attempt at each place of a browser; null = no usable attempt. */
  private kept(request: Request, now: Date): (KeptAttempt | null)[] {
    return this.cookies.readLogins(request).map((sealed, place) => {
      const text = sealed === undefined ? null : unseal({ sealed }, this.key, PURPOSE);
      if (text === null) return null;
      const attempt = { ...(JSON.parse(text) as LoginAttempt & { until: number }), place };
      return attempt.until > now.getTime() ? attempt : null;
    });
  }
}
