import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../environment/environment.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { ADMIN_SESSION_MS } from './admin-sessions.service.js';

const SESSION_COOKIE = 'agent_admin';
const SESSION_TOKEN = new RegExp(`(?:^|;) *${SESSION_COOKIE}=([\\w-]+)`);
const DEVICE_COOKIE = 'agent_admin_device';
const DEVICE_TOKEN = new RegExp(`(?:^|;) *${DEVICE_COOKIE}=([\\w.-]+)`);
const DEVICE_MS = 365 * 24 * 60 * 60_000;

/** Reads and writes the cookie that holds the token of a browser session. */
@Injectable()
export class AdminCookie {
  constructor(private readonly environment: Environment) {}

  read(request: Request): string | undefined {
    return SESSION_TOKEN.exec(request.headers.cookie ?? '')?.[1];
  }

  write(request: Request, response: Response, token: string): void {
    response.cookie(SESSION_COOKIE, token, { ...cookieOptions(this.environment, request), maxAge: ADMIN_SESSION_MS });
  }

  clear(request: Request, response: Response): void {
    response.clearCookie(SESSION_COOKIE, cookieOptions(this.environment, request));
  }
}

/**
 * Recognises browsers that logged in before by a signed cookie (OWASP, "Device Cookies"). The cookie lets nobody in: it only
 * counts the failures of such a browser apart from those of strangers, so that their guesses do not keep it out.
 */
@Injectable()
export class AdminDevice {
  constructor(
    private readonly environment: Environment,
    private readonly secrets: SecretsService,
  ) {}

  /** Returns the id of a browser; null when it has not logged in during the last year. */
  async identify(request: Request, now: Date): Promise<string | null> {
    const [id = '', until = '', signature = ''] =
      DEVICE_TOKEN.exec(request.headers.cookie ?? '')?.[1]?.split('.') ?? [];
    const expected = await this.sign(`${id}.${until}`);
    const presented = Buffer.from(signature, 'base64url');
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
    return Number(until) > now.getTime() ? id : null;
  }

  /** Sets the cookie; to be called after a login with the correct password. */
  async remember(request: Request, response: Response, now: Date): Promise<void> {
    const id = (await this.identify(request, now)) ?? randomBytes(16).toString('base64url');
    const content = `${id}.${now.getTime() + DEVICE_MS}`;
    const signature = (await this.sign(content)).toString('base64url');
    const options = { ...cookieOptions(this.environment, request), path: '/admin/api/session', maxAge: DEVICE_MS };
    response.cookie(DEVICE_COOKIE, `${content}.${signature}`, options);
  }

  private async sign(content: string): Promise<Buffer> {
    return createHmac('sha256', await this.secrets.get('admin.devices'))
      .update(content)
      .digest();
  }
}

/** Options that keep a cookie from scripts in pages, from other sites and, over https, from eavesdroppers. */
function cookieOptions({ PUBLIC_URL }: Environment, request: Request) {
  const secure = request.secure || (PUBLIC_URL?.startsWith('https:') ?? false);
  return { httpOnly: true, sameSite: 'strict', path: '/admin', secure } as const;
}
