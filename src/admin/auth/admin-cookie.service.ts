import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../environment/environment.js';
import { ADMIN_SESSION_MS } from './admin-sessions.service.js';

const NAME = 'agent_admin';
const TOKEN = new RegExp(`(?:^|;) *${NAME}=([\\w-]+)`);

/** Reads and writes the cookie that holds the token of a browser session. */
@Injectable()
export class AdminCookie {
  constructor(private readonly environment: Environment) {}

  read(request: Request): string | undefined {
    return TOKEN.exec(request.headers.cookie ?? '')?.[1];
  }

  write(request: Request, response: Response, token: string): void {
    response.cookie(NAME, token, { ...cookieOptions(this.environment, request), maxAge: ADMIN_SESSION_MS });
  }

  clear(request: Request, response: Response): void {
    response.clearCookie(NAME, cookieOptions(this.environment, request));
  }
}

/** Options that keep a cookie from scripts in pages, from other sites and, over https, from eavesdroppers. */
export function cookieOptions({ PUBLIC_URL }: Environment, request: Request) {
  const secure = request.secure || (PUBLIC_URL?.startsWith('https:') ?? false);
  return { httpOnly: true, sameSite: 'strict', path: '/admin', secure } as const;
}
