import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SecretsService } from '../../secrets/secrets.service.js';
import { cookieOptions } from './admin-cookie.service.js';
import { Environment } from '../../environment/environment.js';

const NAME = 'agent_admin_device';
const COOKIE = new RegExp(`(?:^|;) *${NAME}=([\\w.-]+)`);
const LASTS_MS = 365 * 24 * 60 * 60_000;

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
    const [id = '', until = '', signature = ''] = COOKIE.exec(request.headers.cookie ?? '')?.[1]?.split('.') ?? [];
    const expected = await this.sign(`${id}.${until}`);
    const presented = Buffer.from(signature, 'base64url');
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
    return Number(until) > now.getTime() ? id : null;
  }

  /** Sets the cookie; to be called after a login with the correct password. */
  async remember(request: Request, response: Response, now: Date): Promise<void> {
    const id = (await this.identify(request, now)) ?? randomBytes(16).toString('base64url');
    const content = `${id}.${now.getTime() + LASTS_MS}`;
    const signature = (await this.sign(content)).toString('base64url');
    const options = { ...cookieOptions(this.environment, request), path: '/admin/api/session', maxAge: LASTS_MS };
    response.cookie(NAME, `${content}.${signature}`, options);
  }

  private async sign(content: string): Promise<Buffer> {
    return createHmac('sha256', await this.secrets.get('admin.devices'))
      .update(content)
      .digest();
  }
}
