import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { networkOf } from '../../network/address.rules.js';
import { CrossSiteRequest, NotAuthenticated, WrongPassword } from './admin-auth.errors.js';
import { AdminCookie, AdminDevice } from './admin-cookies.service.js';
import { AdminCredentials, type LoginSender } from './admin-credentials.service.js';
import { AdminSessions } from './admin-sessions.service.js';
import { isSafeMethod, siteOf } from './same-origin.rules.js';

/** Who is administrating, and how they showed it. */
export interface AdminIdentity {
  user: 'admin';
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
    private readonly cookie: AdminCookie,
    private readonly device: AdminDevice,
  ) {}

  /** Returns who makes a request. @throws NotAuthenticated, TooManyLogins, LoginsBusy, CrossSiteRequest */
  async identify(request: Request, response: Response): Promise<AdminIdentity> {
    const authorization = request.headers.authorization;
    if (authorization && /^basic /i.test(authorization)) return this.identifyByBasic(request, authorization);
    const token = this.cookie.read(request);
    if (token !== undefined) return this.identifyBySession(request, response, token);
    throw new NotAuthenticated();
  }

  /** Opens a browser session. @throws WrongPassword, TooManyLogins, LoginsBusy, CrossSiteRequest */
  async logIn(request: Request, response: Response, password: string): Promise<AdminIdentity> {
    if (siteOf(request.headers) === 'cross') throw new CrossSiteRequest();
    const now = new Date();
    const device = await this.device.identify(request, now);
    const sender: LoginSender = device === null ? strangerOf(request) : { lane: 'known', bucket: `device ${device}` };
    if (!(await this.credentials.isPassword(password, sender))) throw new WrongPassword();
    const { token, expiresAt } = await this.sessions.open(now);
    this.cookie.write(request, response, token);
    await this.device.remember(request, response, now);
    return { user: 'admin', method: 'session', expiresAt };
  }

  async logOut(request: Request, response: Response): Promise<void> {
    const token = this.cookie.read(request);
    if (token !== undefined) await this.sessions.close(token);
    this.cookie.clear(request, response);
  }

  private async identifyByBasic(request: Request, header: string): Promise<AdminIdentity> {
    if (!(await this.credentials.isBasic(header, strangerOf(request)))) throw new NotAuthenticated();
    // Browsers remember Basic credentials and also send them with requests from the pages of other sites. Scripts send no
    // such headers.
    if (!isSafeMethod(request.method) && siteOf(request.headers) === 'cross') throw new CrossSiteRequest();
    return { user: 'admin', method: 'basic', expiresAt: null };
  }

  private async identifyBySession(request: Request, response: Response, token: string): Promise<AdminIdentity> {
    const session = await this.sessions.use(token, new Date());
    if (!session) throw new NotAuthenticated();
    if (!isSafeMethod(request.method) && siteOf(request.headers) !== 'same') throw new CrossSiteRequest();
    if (session.extended) this.cookie.write(request, response, token);
    return { user: 'admin', method: 'session', expiresAt: session.expiresAt };
  }
}

const strangerOf = ({ ip = '' }: Request): LoginSender => ({ lane: 'stranger', bucket: networkOf(ip) });
