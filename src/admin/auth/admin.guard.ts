import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuditTrail } from '../../audit/audit-trail.service.js';
import { NotAuthenticated, TooManyLogins } from './admin-auth.errors.js';
import { AdminAccess, type AdminIdentity } from './admin-access.service.js';

const identities = new WeakMap<Request, AdminIdentity>();

/** Lets only administrators pass. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly access: AdminAccess,
    private readonly trail: AuditTrail,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    try {
      identities.set(request, await this.access.identify(request, http.getResponse<Response>()));
    } catch (error) {
      this.noteFailure(request, error);
      throw error;
    }
    return true;
  }

  private noteFailure({ headers, ip }: Request, error: unknown): void {
    const name = basicNameOf(headers.authorization);
    const isThrottled = error instanceof TooManyLogins;
    if (name === null || !(isThrottled || error instanceof NotAuthenticated)) return;
    this.trail.loginFailed({ name, address: ip ?? null, isThrottled });
  }
}

/** Returns who the guard found to make a request; undefined for requests that need nobody. */
export const administratorOf = (request: Request): AdminIdentity | undefined => identities.get(request);

/** Injects the `AdminIdentity` that the guard established. */
export const Admin = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  identities.get(context.switchToHttp().getRequest<Request>()),
);

const LONGEST_NAME = 100;

/** Returns the beginning of the name in HTTP Basic credentials; null when a request has none. */
function basicNameOf(authorization: string | undefined): string | null {
  const credentials = authorization && /^basic +([\w+/=-]{1,400})/i.exec(authorization)?.[1];
  if (!credentials) return null;
  const [name = ''] = Buffer.from(credentials, 'base64').toString().split(':');
  return name.slice(0, LONGEST_NAME);
}
