import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminAccess, type AdminIdentity } from './admin-access.service.js';

const identities = new WeakMap<Request, AdminIdentity>();

/** Lets only administrators pass. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly access: AdminAccess) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    identities.set(request, await this.access.identify(request, http.getResponse<Response>()));
    return true;
  }
}

/** Injects the `AdminIdentity` that the guard established. */
export const Admin = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  identities.get(context.switchToHttp().getRequest<Request>()),
);
