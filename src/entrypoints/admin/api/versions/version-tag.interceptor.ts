import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { entityTag } from './if-match.rules.js';

interface Versioned {
  version: string | number;
}

/** Sends the version of what a route returns as the header ETag. */
@Injectable()
export class VersionTag implements NestInterceptor<Versioned> {
  intercept(context: ExecutionContext, next: CallHandler<Versioned>): Observable<Versioned> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(tap(({ version }) => void response.set('ETag', entityTag(version))));
  }
}
