import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment.js';
import { ADMIN_SESSION_MS } from './admin-sessions.service.js';

const NAME = 'agent_admin';
const TOKEN = new RegExp(`(?:^|;) *${NAME}=([\\w-]+)`);

/** The cookie that holds the token of a browser session. */
@Injectable()
export class AdminCookie {
  private readonly alwaysSecure: boolean;

  constructor(environment: Environment) {
    this.alwaysSecure = environment.PUBLIC_URL?.startsWith('https:') ?? false;
  }

  read(request: Request): string | undefined {
    return TOKEN.exec(request.headers.cookie ?? '')?.[1];
  }

  write(request: Request, response: Response, token: string): void {
    response.cookie(NAME, token, { ...this.options(request), maxAge: ADMIN_SESSION_MS });
  }

  clear(request: Request, response: Response): void {
    response.clearCookie(NAME, this.options(request));
  }

  private options(request: Request) {
    const secure = this.alwaysSecure || request.secure;
    return { httpOnly: true, sameSite: 'strict', path: '/admin', secure } as const;
  }
}
