import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { AdminAccess, type AdminIdentity } from './admin-access.service.js';
import { AccountDisabled, ForbiddenRole, NotAuthenticated, TooManyLogins } from './accounts.errors.js';
import { NEEDED_ROLE } from './admin-role.decorator.js';
import { isEnough, neededRole } from './admin-role.rules.js';
import { isSafeMethod } from './same-origin.rules.js';
import type { AdminRole } from './administrator.js';

const identities = new WeakMap<Request, AdminIdentity>();

/** Lets administrators pass if their role is sufficient for the route. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly access: AdminAccess,
    private readonly reflector: Reflector,
    private readonly trail: AuditTrail,
  ) {}

  /** @throws ForbiddenRole, and the errors of AdminAccess */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const identity = await this.identify(request, http.getResponse<Response>());
    const targets = [context.getHandler(), context.getClass()];
    const declared = this.reflector.getAllAndOverride<AdminRole | undefined>(NEEDED_ROLE, targets);
    const needed = neededRole(request.method, declared);
    if (!isEnough(identity.role, needed)) {
      const { method, path, ip: address = null } = request;
      if (!isSafeMethod(method))
        this.trail.changeRefused({ name: identity.user, address, change: `${method} ${path}` });
      throw new ForbiddenRole(identity, needed);
    }
    identities.set(request, identity);
    return true;
  }

  private async identify(request: Request, response: Response): Promise<AdminIdentity> {
    try {
      return await this.access.identify(request, response);
    } catch (error) {
      this.noteFailure(request, error);
      throw error;
    }
  }

  private noteFailure({ headers, ip }: Request, error: unknown): void {
    const name = basicNameOf(headers.authorization);
    const isThrottled = error instanceof TooManyLogins;
    const isRefused = error instanceof NotAuthenticated || error instanceof AccountDisabled;
    if (name === null || !(isThrottled || isRefused)) return;
    this.trail.loginFailed({ name, address: ip ?? null, isThrottled });
  }
}

/** Returns the administrator that the guard identified; undefined for requests that need none. */
export const administratorOf = (request: Request): AdminIdentity | undefined => identities.get(request);

/** Injects the `AdminIdentity` that the guard established. */
export const Admin = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  administratorOf(context.switchToHttp().getRequest<Request>()),
);

const LONGEST_NAME = 100;

/** Returns the start of the name in HTTP Basic credentials; null without credentials. */
function basicNameOf(authorization: string | undefined): string | null {
  const credentials = authorization && /^basic +([\w+/=-]{1,400})/i.exec(authorization)?.[1];
  if (!credentials) return null;
  const [name = ''] = Buffer.from(credentials, 'base64').toString().split(':');
  return name.slice(0, LONGEST_NAME);
}
