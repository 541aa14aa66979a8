import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';
import { isStorable } from '#bounded-json';
import { BodyBudget } from './body-budget.service.js';
import { InvalidText } from './body.errors.js';
import { readBody } from './read-body.js';

const MAX_BYTES = Symbol('MAX_BYTES');
const DEFAULT_MAX_BYTES = 1024 * 1024;

/** Sets how large the body of a route may be, in bytes; the default is 1 MB. */
export const MaxBody = (bytes: number) => SetMetadata(MAX_BYTES, bytes);

/** Limit for bodies that contain documents. */
export const DOCUMENTS_MAX_BYTES = 16 * 1024 * 1024;

/** Reads and checks the input of a request. Nest runs interceptors after guards, so the body of a refused request is not read. */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly budget: BodyBudget,
  ) {}

  /** @throws InvalidText, and the errors of readBody */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    assertStorable('the path', Object.values(request.params));
    assertStorable('the query', Object.entries(request.query).flat());
    const maxBytes = this.reflector.get<number | undefined>(MAX_BYTES, context.getHandler()) ?? DEFAULT_MAX_BYTES;
    const share = this.budget.open();
    try {
      request.body = await readBody(request, maxBytes, share);
    } catch (error) {
      share.release();
      throw error;
    }
    return next.handle().pipe(finalize(() => share.release()));
  }
}

function assertStorable(where: string, values: unknown[]): void {
  const texts = values.flat().filter((value) => typeof value === 'string');
  if (!texts.every(isStorable)) throw new InvalidText(where);
}
