import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { InvalidBody } from './body.pipe.js';

/** Refuses the parameters of a request to a route without a query. `BodyPipe` checks those of the other routes. */
@Injectable()
export class QueryInterceptor implements NestInterceptor {
  /** @throws InvalidBody */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query } = context.switchToHttp().getRequest<Request>();
    const names = Object.keys(query);
    if (names.length > 0 && !takesQuery(context)) {
      throw new InvalidBody(names.map((path) => ({ path, message: `property ${path} should not exist` })));
    }
    return next.handle();
  }
}

function takesQuery(context: ExecutionContext): boolean {
  const route = context.getHandler().name;
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), route);
  return Object.keys(Object(parameters) as object).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
