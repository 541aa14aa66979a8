import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LoginThrottle } from '../accounts/login-throttle.service.js';
import type { AdministratorAccount } from '../accounts/administrator.js';
import { networkOf } from '../../platform/network/address.rules.js';
import { ProviderClient } from './provider-client.service.js';
import { LoginAccounts } from './login-accounts.service.js';
import { type LinkIntent, LoginAttempts } from './login-attempts.service.js';
import { LoginProviders } from './login-providers.service.js';
import { safePath } from './login.rules.js';
import { LoginRefused } from './single-sign-on.errors.js';

/** Maximum wait at logout for the document of the provider. */
const LOG_OUT_MS = 3_000;

/** The result of a login: the account, and the path to open. */
export interface SignedIn {
  to: string;
  provider: string;
  account: AdministratorAccount;
  /** True when the account was linked to an identity, instead of a login. */
  isLinked: boolean;
}

/** Logs people in by OpenID Connect: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, section 3.1). */
@Injectable()
export class SingleSignOn {
  private readonly logger = new Logger(SingleSignOn.name);

  constructor(
    private readonly providers: LoginProviders,
    private readonly client: ProviderClient,
    private readonly attempts: LoginAttempts,
    private readonly accounts: LoginAccounts,
    private readonly throttle: LoginThrottle,
  ) {}

  /** Returns the URL at which the browser logs in, or identifies the person to link to an account. @throws LoginRefused */
  async start(
    request: Request,
    response: Response,
    {
      name,
      to,
      redirectUri,
      link = null,
    }: { name: string; to: unknown; redirectUri: string; link?: LinkIntent | null },
  ): Promise<URL> {
    const provider = await this.providers.enabled(name);
    const { url, secrets } = await this.client.begin(provider, redirectUri);
    const attempt = { ...secrets, provider: name, issuer: provider.issuer, to: safePath(to), link };
    this.attempts.remember(request, response, attempt, new Date());
    return url;
  }

  /** Returns the path to open after a failed login: the one that the attempt of this browser requested. */
  pathOf(request: Request, state: string | null): string {
    return safePath(this.attempts.find(request, state, new Date())?.to);
  }

  /**
   * Returns the URL at which a browser that has logged out here logs out at the provider, too; null when the provider is gone,
   * offers no logout, or does not respond in time.
   * @param back URL to which the provider sends the browser afterwards
   */
  async logOutAt(name: string, back: string): Promise<URL | null> {
    const asked = this.providers.enabled(name).then((provider) => this.client.endOfSession(provider, back));
    const answered = asked.catch((error: Error) => {
      this.logger.warn(`nobody can be logged out at the provider ${name}: ${error.message.slice(0, 500)}`);
      return null;
    });
    return Promise.race([answered, setTimeout(LOG_OUT_MS, null, { ref: false })]);
  }

  /** Handles the answer of a provider. @throws LoginRefused, TooManyLogins */
  async finish(request: Request, response: Response, search: string): Promise<SignedIn> {
    const now = new Date();
    const attempt = this.attempts.find(request, new URLSearchParams(search).get('state'), now);
    if (attempt === null) throw new LoginRefused('expired', 'the browser has begun no such login, or it is over');
    const { provider: name, to, link } = attempt;
    // The account is unknown until the answer is validated, so only senders are counted, separately from password logins.
    const sender = { sender: `sso ${networkOf(request.ip ?? '')}`, account: '', isKnown: true };
    await this.throttle.begin(sender);
    if (!(await this.attempts.use(request, response, attempt, now)))
      throw new LoginRefused('expired', 'the answer was used before');
    try {
      const provider = await this.providers.enabled(name);
      if (provider.issuer !== attempt.issuer) throw new LoginRefused('expired', 'the provider was changed meanwhile');
      const claims = await this.client.finish(provider, attempt, search);
      const account = await (link === null
        ? this.accounts.accountOf(provider, claims, now)
        : this.accounts.link(provider, link, claims, now));
      await this.throttle.succeeded(sender);
      return { to, provider: name, account, isLinked: link !== null };
    } catch (error) {
      if (!(error instanceof LoginRefused) || !COUNTED.has(error.reason)) await this.throttle.takeBack(sender);
      throw error;
    }
  }
}

/** Failures that guessing answers would cause. Others are not counted. */
const COUNTED: ReadonlySet<string> = new Set(['expired', 'failed', 'refused']);
