import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/environment/environment.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { ADMIN_SESSION_MS } from './admin-sessions.service.js';

const DEVICE_MS = 365 * 24 * 60 * 60_000;
const SIGN_IN_PATH = '/admin/api/sso';
const DEVICE_PATH = '/admin/api/session';
/** Logins at providers that a browser may have in progress. More might not fit into the 8 KB that proxies accept as a header. */
const PLACES = [0, 1, 2, 3] as const;

interface KeptLogin {
  place: number;
  value: string;
  maxAge: number; // milliseconds
}

/**
 * Names and writes the cookies of the administration. Browsers share cookies between all ports of a host, so each instance uses
 * different names; replicas use the same. Over https, the prefix __Host- keeps others from setting them.
 */
export class AdminCookies {
  private constructor(
    private readonly environment: Environment,
    private readonly name: string,
    private readonly deviceKey: Buffer,
  ) {}

  static async load(environment: Environment, secrets: SecretsService): Promise<AdminCookies> {
    const instance = (await secrets.get('admin.instance')).subarray(0, 4).toString('hex');
    return new AdminCookies(environment, `agent_admin_${instance}`, await secrets.get('admin.devices'));
  }

  /** The name of the session cookie where the service is published. */
  get publishedName(): string {
    return this.nameFor(this.isPublishedSecurely());
  }

  readToken(request: Request): string | undefined {
    return cookieOf(request, this.nameFor(this.isSecure(request)), /^[\w-]{1,100}$/);
  }

  writeToken(request: Request, response: Response, token: string): void {
    const secure = this.isSecure(request);
    response.cookie(this.nameFor(secure), token, { ...optionsFor(secure, '/admin'), maxAge: ADMIN_SESSION_MS });
  }

  clearToken(request: Request, response: Response): void {
    const secure = this.isSecure(request);
    response.clearCookie(this.nameFor(secure), optionsFor(secure, '/admin'));
  }

  /** Returns the stored state of logins at providers, by place. */
  readLogins(request: Request): (string | undefined)[] {
    const secure = this.isSecure(request);
    return PLACES.map((place) => cookieOf(request, this.loginNameFor(secure, place), /^[\w-]{1,2500}$/));
  }

  /**
   * Stores the state of a login in the browser until the provider redirects back. The redirect comes from another site, so the
   * cookie is not strict.
   */
  writeLogin(request: Request, response: Response, { place, value, maxAge }: KeptLogin): void {
    const secure = this.isSecure(request);
    response.cookie(this.loginNameFor(secure, place), value, { ...loginOptionsFor(secure), maxAge });
  }

  clearLogin(request: Request, response: Response, place: number): void {
    const secure = this.isSecure(request);
    response.clearCookie(this.loginNameFor(secure, place), loginOptionsFor(secure));
  }

  /**
   * Returns the id of a browser that has logged in to the account during the last year; null for others. A signed cookie
   * identifies it (OWASP, "Device Cookies"). The cookie grants no access: failures of such a browser are only counted separately,
   * so that guesses of strangers do not lock it out.
   */
  deviceOf(request: Request, user: string, now: Date): string | null {
    const cookie = cookieOf(request, this.deviceNameFor(this.isSecure(request)), /^[\w.-]{1,200}$/) ?? '';
    const [id = '', until = '', signature = ''] = cookie.split('.');
    const expected = this.sign(id, until, user);
    const presented = Buffer.from(signature, 'base64url');
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
    return Number(until) > now.getTime() ? id : null;
  }

  /** Marks the browser as one that has logged in to the account. */
  rememberDevice(request: Request, response: Response, user: string, now: Date): void {
    const secure = this.isSecure(request);
    const id = this.deviceOf(request, user, now) ?? randomBytes(16).toString('base64url');
    const until = String(now.getTime() + DEVICE_MS);
    const value = `${id}.${until}.${this.sign(id, until, user).toString('base64url')}`;
    response.cookie(this.deviceNameFor(secure), value, { ...optionsFor(secure, DEVICE_PATH), maxAge: DEVICE_MS });
  }

  private sign(id: string, until: string, user: string): Buffer {
    return createHmac('sha256', this.deviceKey).update(`${id}.${until}.${user}`).digest();
  }

  private isSecure(request: Request): boolean {
    return request.secure || this.isPublishedSecurely();
  }

  private isPublishedSecurely(): boolean {
    return this.environment.PUBLIC_URL?.startsWith('https:') ?? false;
  }

  private nameFor(secure: boolean): string {
    return secure ? `__Host-${this.name}` : this.name;
  }

  private loginNameFor(secure: boolean, place: number): string {
    return `${this.nameFor(secure)}_login_${place}`;
  }

  private deviceNameFor(secure: boolean): string {
    return `${this.nameFor(secure)}_device`;
  }
}

/** Returns the value of a cookie, if it has the expected form. */
function cookieOf({ headers }: Request, name: string, form: RegExp): string | undefined {
  const start = `${name}=`;
  const pair = (headers.cookie ?? '').split(';').find((part) => part.trimStart().startsWith(start));
  const value = pair?.trim().slice(start.length);
  return value !== undefined && form.test(value) ? value : undefined;
}

/** Options that hide a cookie from scripts in pages, from other sites and, over https, from eavesdroppers. */
function optionsFor(secure: boolean, path: string) {
  // Browsers accept a cookie with the prefix __Host- only with the path "/".
  return { httpOnly: true, sameSite: 'strict', path: secure ? '/' : path, secure } as const;
}

const loginOptionsFor = (secure: boolean) => ({ ...optionsFor(secure, SIGN_IN_PATH), sameSite: 'lax' }) as const;
