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
 * Remembers which browsers logged in before, by a signed cookie (OWASP, "Device Cookies"). It lets nobody in: it only keeps
 * those browsers apart from whoever guesses passwords, so that they are not made to wait for it.
 */
@Injectable()
export class AdminDevice {
  constructor(
    private readonly environment: Environment,
    private readonly secrets: SecretsService,
  ) {}

  /** The browser's own number; null for one that never logged in, or did long ago. */
  async identify(request: Request, now: Date): Promise<string | null> {
    const [id = '', until = '', signature = ''] = COOKIE.exec(request.headers.cookie ?? '')?.[1]?.split('.') ?? [];
    const expected = await this.sign(`${id}.${until}`);
    const presented = Buffer.from(signature, 'base64url');
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
    return Number(until) > now.getTime() ? id : null;
  }

  /** To be called after a login with the right password. */
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
