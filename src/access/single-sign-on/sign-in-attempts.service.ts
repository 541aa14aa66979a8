import type { Request, Response } from 'express';
import { AdminCookies } from '../accounts/admin-cookies.service.js';
import { seal, unseal } from '../../platform/secrets/sealed-text.rules.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AccountIdentityStore } from './account-identity.store.js';
import type { AttemptSecrets } from './provider-client.service.js';

const ATTEMPT_MS = 10 * 60_000;
const PURPOSE = 'sign-in attempt';

/** A login that waits for the answer of the provider. */
export interface SignInAttempt extends AttemptSecrets {
  provider: string;
  issuer: string;
  /** The path that it leads to. */
  to: string;
}

/**
 * Keeps login attempts in a sealed cookie of the browser that began them, so that any replica can take the answer, no other
 * browser can, and strangers store nothing here. An attempt lasts ten minutes and is used once.
 */
export class SignInAttempts {
  private constructor(
    private readonly cookies: AdminCookies,
    private readonly store: AccountIdentityStore,
    private readonly key: Buffer,
  ) {}

  static async load(
    cookies: AdminCookies,
    store: AccountIdentityStore,
    secrets: SecretsService,
  ): Promise<SignInAttempts> {
    return new SignInAttempts(cookies, store, await secrets.get('sso.attempts'));
  }

  remember(request: Request, response: Response, attempt: SignInAttempt, now: Date): void {
    const { sealed } = seal(JSON.stringify({ ...attempt, until: now.getTime() + ATTEMPT_MS }), this.key, PURPOSE);
    this.cookies.writeSignIn(request, response, Buffer.from(sealed, 'base64').toString('base64url'), ATTEMPT_MS);
  }

  /** Returns the attempt that an answer with this state belongs to; null when the browser has begun none, or it is over. */
  find(request: Request, state: string | null, now: Date): (SignInAttempt & { until: number }) | null {
    const sealed = this.cookies.readSignIn(request);
    const text = sealed === undefined ? null : unseal({ sealed }, this.key, PURPOSE);
    if (text === null) return null;
    const attempt = JSON.parse(text) as SignInAttempt & { until: number };
    return attempt.until > now.getTime() && attempt.state === state ? attempt : null;
  }

  /** Ends an attempt; returns false when it has ended before. */
  async use(
    request: Request,
    response: Response,
    attempt: { state: string; until: number },
    now: Date,
  ): Promise<boolean> {
    this.cookies.clearSignIn(request, response);
    return this.store.use(attempt.state, new Date(attempt.until), now);
  }
}
