import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { TooManyLogins } from '../../../access/accounts/accounts.errors.js';
import { AdminAccess } from '../../../access/accounts/admin-access.service.js';
import { AuditLog } from '../../../access/audit/audit-log.service.js';
import { AuditTrail } from '../../../access/audit/audit-trail.service.js';
import type { LoginFailure } from '../../../access/single-sign-on/login-provider.js';
import { safePath, withParameter } from '../../../access/single-sign-on/login.rules.js';
import { SingleSignOn } from '../../../access/single-sign-on/single-sign-on.service.js';
import { LoginRefused } from '../../../access/single-sign-on/single-sign-on.errors.js';
import { Environment } from '../../../platform/environment/environment.js';
import { AppError } from '../../../platform/errors/app-error.js';

const CALLBACK = '/admin/api/sso/callback';
const START_PAGE = '/admin/';
const ACCOUNT_PAGE = '/admin/account';

/** Logs browsers in and out at providers, and redirects them back: with a session, or with the reason of the failure. */
@Injectable()
export class SsoLogins {
  private readonly logger = new Logger('SingleSignOn');

  constructor(
    private readonly sso: SingleSignOn,
    private readonly access: AdminAccess,
    private readonly log: AuditLog,
    private readonly trail: AuditTrail,
    private readonly environment: Environment,
  ) {}

  async start(request: Request, response: Response, { name, to }: { name: string; to: unknown }): Promise<void> {
    try {
      const redirectUri = this.originOf(request) + CALLBACK;
      const url = await this.sso.start(request, response, { name, to, redirectUri });
      response.redirect(303, url.href);
    } catch (error) {
      this.redirectBack(response, safePath(to), this.failureOf(error));
    }
  }

  /**
   * Starts linking an account to an identity at a provider. Returns the next URL for the browser: the provider, or back with the
   * reason of the failure. @throws PasswordLoginNeeded
   */
  async startLink(
    request: Request,
    response: Response,
    { name, account }: { name: string; account: string },
  ): Promise<string> {
    const link = { account, session: await this.access.passwordSessionOf(request, account) };
    try {
      const redirectUri = this.originOf(request) + CALLBACK;
      return (await this.sso.start(request, response, { name, to: ACCOUNT_PAGE, redirectUri, link })).href;
    } catch (error) {
      return withParameter(ACCOUNT_PAGE, 'login-error', this.failureOf(error));
    }
  }

  async finish(request: Request, response: Response): Promise<void> {
    const search = URL.parse(request.originalUrl, 'http://here.invalid')?.search ?? '';
    // Read it before the attempt ends.
    const path = this.sso.pathOf(request, new URLSearchParams(search).get('state'));
    try {
      this.log.assertWorking();
      const { to, account, provider, isLinked } = await this.sso.finish(request, response, search);
      if (!isLinked) await this.access.openSession(request, response, account, provider);
      await this.log.recordNow({
        kind: isLinked ? 'change' : 'login',
        at: new Date(),
        admin: account.name,
        action: isLinked ? 'linkIdentity' : 'finishLogin',
        subject: `sso/${provider}`,
        outcome: 'ok',
        address: request.ip ?? null,
      });
      // The session cookie is strict, so browsers do not send it after a redirect from another site. That is fine: this page is
      // the same for everybody, and its own requests come from this site.
      response.redirect(303, to);
    } catch (error) {
      const name = error instanceof LoginRefused ? error.account : null;
      const isThrottled = error instanceof TooManyLogins;
      this.trail.loginFailed({ name, address: request.ip ?? null, isThrottled });
      this.redirectBack(response, path, this.failureOf(error));
    }
  }

  /** Ends the session of a browser; returns the URL for logging out at its provider, too, if the provider offers it. */
  async logOut(request: Request, response: Response): Promise<string | null> {
    const provider = await this.access.logOut(request, response);
    const url = provider === null ? null : await this.sso.logOutAt(provider, this.originOf(request) + START_PAGE);
    return url?.href ?? null;
  }

  /** Without PUBLIC_URL, uses the address in the browser: the provider only redirects to registered ones. */
  private originOf({ protocol, headers }: Request): string {
    return this.environment.PUBLIC_URL ?? `${protocol}://${headers.host ?? ''}`;
  }

  private failureOf(error: unknown): LoginFailure {
    if (error instanceof LoginRefused) {
      this.logger.warn(`a login by single sign-on failed (${error.reason}): ${error.message.slice(0, 500)}`);
      return error.reason;
    }
    if (error instanceof TooManyLogins) return 'too_many_attempts';
    if (error instanceof AppError) this.logger.warn(`a login by single sign-on failed: ${error.message}`);
    else this.logger.error(error);
    return 'failed';
  }

  private redirectBack(response: Response, path: string, failure: LoginFailure): void {
    response.redirect(303, withParameter(path, 'login-error', failure));
  }
}
