import type { Request, Response } from 'express';
import { AdminCookies } from '../accounts/admin-cookies.service.js';
import { seal, unseal } from '../../platform/secrets/sealed-text.rules.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AccountIdentityStore } from './account-identity.store.js';
import type { AttemptSecrets } from './provider-client.service.js';

const ATTEMPT_MS = 10 * 60_000;
const PURPOSE = 'login attempt';

/** The account that somebody links to an identity, and the browser session in which they do. */
export interface LinkIntent {
  account: string;
  session: string;
}

/** A login that waits for the answer of the provider. */
export interface LoginAttempt extends AttemptSecrets {
  provider: string;
  issuer: string;
  /** The path that it leads to. */
  to: string;
  /** What it is for instead of a login; null = a login. */
  link: LinkIntent | null;
}

interface KeptAttempt extends LoginAttempt {
  until: number; // milliseconds since 1970
  /** Where the browser keeps it. */
  place: number;
}

/**
 * Keeps login attempts in sealed cookies of the browser that began them, so that any replica can take the answer, no other
 * browser can, and strangers store nothing here. An attempt lasts ten minutes and is used once; one browser may have four, and
 * another one takes the place of the oldest.
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
    // Any of the free places: two tabs that begin at the same moment do not know of each other.
    const places = this.kept(request, now).map((kept, place) => ({ place, until: kept?.until ?? Math.random() }));
    const { place } = places.reduce((best, other) => (other.until < best.until ? other : best));
    this.cookies.writeLogin(request, response, { place, value, maxAge: ATTEMPT_MS });
  }

  /** Returns the attempt that an answer with this state belongs to; null when the browser has begun none, or it is over. */
  find(request: Request, state: string | null, now: Date): KeptAttempt | null {
    return this.kept(request, now).find((attempt) => attempt?.state === state) ?? null;
  }

  /** Ends an attempt; returns false when it has ended before. */
  async use(request: Request, response: Response, attempt: KeptAttempt, now: Date): Promise<boolean> {
    this.cookies.clearLogin(request, response, attempt.place);
    return this.store.use(attempt.state, new Date(attempt.until), now);
  }

  /** Returns the attempt at each place of a browser; null = none that may still be used. */
  private kept(request: Request, now: Date): (KeptAttempt | null)[] {
    return this.cookies.readLogins(request).map((sealed, place) => {
      const text = sealed === undefined ? null : unseal({ sealed }, this.key, PURPOSE);
      if (text === null) return null;
      const attempt = { ...(JSON.parse(text) as LoginAttempt & { until: number }), place };
      return attempt.until > now.getTime() ? attempt : null;
    });
  }
}
