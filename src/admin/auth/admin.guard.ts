import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AdminAccess, type AdminIdentity } from './admin-access.service.js';
import { ForbiddenRole } from './admin-auth.errors.js';
import { NEEDED_ROLE } from './admin-role.decorator.js';
import { isEnough, neededRole } from './admin-role.rules.js';
import type { AdminRole } from './administrator.js';

const identities = new WeakMap<Request, AdminIdentity>();

/** Lets administrators pass whose role is enough for the route. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly access: AdminAccess,
    private readonly reflector: Reflector,
  ) {}

  /** @throws ForbiddenRole, and what AdminAccess throws */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const identity = await this.access.identify(request, http.getResponse<Response>());
    const targets = [context.getHandler(), context.getClass()];
    const declared = this.reflector.getAllAndOverride<AdminRole | undefined>(NEEDED_ROLE, targets);
    const needed = neededRole(request.method, declared);
    if (!isEnough(identity.role, needed)) throw new ForbiddenRole(identity, needed);
    identities.set(request, identity);
    return true;
  }
}

/** Returns the identity that the guard established; undefined before it has, and where there is no guard. */
const identityOf = (request: Request): AdminIdentity | undefined => identities.get(request);

/** Injects the `AdminIdentity` that the guard established. */
export const Admin = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  identityOf(context.switchToHttp().getRequest<Request>()),
);
