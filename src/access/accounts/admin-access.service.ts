import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SettingsService } from '../../platform/config/settings.service.js';
import { networkOf } from '../../platform/network/address.rules.js';
import {
  CrossSiteRequest,
  NotAuthenticated,
  PasswordLoginNeeded,
  PasswordsOff,
  WrongPassword,
} from './accounts.errors.js';
import { AdminCookies } from './admin-cookies.service.js';
import { AdminCredentials, type LoginSender } from './admin-credentials.service.js';
import { AdminSessions } from './admin-sessions.service.js';
import { type AdministratorAccount, type AdminRole, BUILT_IN } from './administrator.js';
import { isSafeMethod, siteOf } from './same-origin.rules.js';

/** The authenticated administrator, and the method of authentication. */
export interface AdminIdentity {
  user: string;
  role: AdminRole;
  method: 'basic' | 'session';
  /** When the browser session ends if it is not used; null with HTTP Basic. */
  expiresAt: Date | null;
}

/** Authenticates administrators: scripts by HTTP Basic, browsers by a session cookie. */
@Injectable()
export class AdminAccess {
  constructor(
    private readonly credentials: AdminCredentials,
    private readonly sessions: AdminSessions,
    private readonly cookies: AdminCookies,
    private readonly settings: SettingsService,
  ) {}

  /** Returns the administrator that makes a request. @throws NotAuthenticated, TooManyLogins, LoginsBusy, CrossSiteRequest */
  async identify(request: Request, response: Response): Promise<AdminIdentity> {
    const authorization = request.headers.authorization;
    if (authorization && /^basic /i.test(authorization)) return this.identifyByBasic(request, authorization);
    const token = this.cookies.readToken(request);
    if (token !== undefined) return this.identifyBySession(request, response, token);
    throw new NotAuthenticated();
  }

  /** Opens a browser session. @throws WrongPassword, TooManyLogins, LoginsBusy, CrossSiteRequest */
  async logIn(request: Request, response: Response, user: string, password: string): Promise<AdminIdentity> {
    if (siteOf(request.headers) === 'cross') throw new CrossSiteRequest();
    const account = await this.checkPassword(request, user, password);
    return this.openSession(request, response, account);
  }

  /** Checks a password that a person entered. @throws WrongPassword, PasswordsOff, TooManyLogins, LoginsBusy */
  async checkPassword(request: Request, user: string, password: string): Promise<AdministratorAccount> {
    this.assertMayUsePassword(user);
    const device = this.cookies.deviceOf(request, user, new Date());
    const unknown = unknownSender(request);
    const sender: LoginSender = device === null ? unknown : { ...unknown, lane: 'known', bucket: `device ${device}` };
    const account = await this.credentials.check(user, password, sender);
    if (!account) throw new WrongPassword();
    return account;
  }

  /**
   * Opens a browser session with a new token, and ends the previous session of the browser.
   * @param provider at which the person logged in; left out = here
   * @throws WrongPassword
   */
  async openSession(
    request: Request,
    response: Response,
    account: AdministratorAccount,
    provider?: string,
  ): Promise<AdminIdentity> {
    const now = new Date();
    const former = this.cookies.readToken(request);
    if (former !== undefined) await this.sessions.close(former);
    const origin = {
      address: request.ip ?? '',
      browser: request.headers['user-agent'] ?? null,
      ...(provider && { provider }),
    };
    const opened = await this.sessions.open(account, origin, now);
    if (!opened) throw new WrongPassword();
    this.cookies.writeToken(request, response, opened.token);
    this.cookies.rememberDevice(request, response, account.name, now);
    return { user: account.name, role: account.role, method: 'session', expiresAt: opened.expiresAt };
  }

  /** Returns the id of the browser session that the account has opened with its password. @throws PasswordLoginNeeded */
  async passwordSessionOf(request: Request, user: string): Promise<string> {
    const token = this.cookies.readToken(request);
    const id = token === undefined ? null : await this.sessions.idOfPasswordSession(token, user);
    if (id === null) throw new PasswordLoginNeeded();
    return id;
  }

  /** Ends the session of a browser; returns the provider at which its person logged in, if there was one. */
  async logOut(request: Request, response: Response): Promise<string | null> {
    const token = this.cookies.readToken(request);
    const provider = token === undefined ? null : await this.sessions.close(token);
    this.cookies.clearToken(request, response);
    return provider;
  }

  private async identifyByBasic(request: Request, header: string): Promise<AdminIdentity> {
    const account = await this.credentials.checkBasic(header, unknownSender(request));
    if (!account) throw new NotAuthenticated();
    this.assertMayUsePassword(account.name);
    // Browsers remember Basic credentials and also send them with requests from the pages of other sites. Scripts send no
    // such headers.
    if (!isSafeMethod(request.method) && siteOf(request.headers) === 'cross') throw new CrossSiteRequest();
    return { user: account.name, role: account.role, method: 'basic', expiresAt: null };
  }

  private assertMayUsePassword(user: string): void {
    if (user !== BUILT_IN && this.settings.get('sso.only') === 'on') throw new PasswordsOff();
  }

  private async identifyBySession(request: Request, response: Response, token: string): Promise<AdminIdentity> {
    const session = await this.sessions.use(token, new Date());
    if (!session) throw new NotAuthenticated();
    if (!isSafeMethod(request.method) && siteOf(request.headers) !== 'same') throw new CrossSiteRequest();
    if (session.extended) this.cookies.writeToken(request, response, token);
    const { user, role, expiresAt } = session;
    return { user, role, method: 'session', expiresAt };
  }
}

const unknownSender = ({ ip = '' }: Request): LoginSender => ({
  lane: 'unknown',
  bucket: networkOf(ip),
  address: ip,
});
