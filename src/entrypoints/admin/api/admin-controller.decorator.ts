import {
  applyDecorators,
  Controller,
  HttpCode,
  type Type as Class,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import {
  ApiBasicAuth,
  ApiCookieAuth,
  ApiCreatedResponse,
  ApiDefaultResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { AdminGuard } from '../../../access/accounts/admin.guard.js';
import { AuditInterceptor } from './audit.interceptor.js';
import { BodyPipe } from './body/body.pipe.js';
import { QueryInterceptor } from './body/query.interceptor.js';
import { InputInterceptor } from './body/input.interceptor.js';
import { Problem } from './problem.schema.js';

/** A controller of the admin REST API that is open to everybody. */
export const PublicAdminController = (path: string) =>
  applyDecorators(
    Controller(`admin/api${path && `/${path}`}`),
    UseInterceptors(InputInterceptor, AuditInterceptor),
    UsePipes(BodyPipe),
    ApiTags(path || 'description'),
    ApiExtraModels(Problem),
    ApiDefaultResponse({
      description: 'A problem document',
      headers: {
        'Retry-After': {
          description: 'Number of seconds after which another attempt may succeed; with 429, and some 503.',
          schema: { type: 'integer' },
        },
      },
      content: { 'application/problem+json': { schema: { $ref: getSchemaPath(Problem) } } },
    }),
  );

/** Restricts a route or a controller to administrators; `@NeedsRole` restricts the roles. */
export const LoggedInOnly = () =>
  applyDecorators(UseGuards(AdminGuard), UseInterceptors(QueryInterceptor), ApiBasicAuth(), ApiCookieAuth());

export const AdminController = (path: string) => applyDecorators(PublicAdminController(path), LoggedInOnly());

/**
 * Describes a route in the OpenAPI document.
 * @param operationId must stay the same when classes and methods are renamed: generated clients name their methods after it
 */
export const Operation = (operationId: string, summary: string, description?: string) =>
  ApiOperation({ operationId, summary, ...(description && { description }) });

/** Declares that a route has an empty response, and describes its status. */
export const NoContent = (description?: string) =>
  applyDecorators(HttpCode(204), ApiNoContentResponse({ ...(description !== undefined && { description }) }));

/** Declares that a route responds with status 200 and an object of a class. */
export const Returns = (type: Class, description?: string) =>
  applyDecorators(HttpCode(200), ApiOkResponse({ type, ...(description !== undefined && { description }) }));

/** Declares that a route responds with status 201 and an object of a class. */
export const Creates = (type: Class, description?: string) =>
  ApiCreatedResponse({ type, ...(description !== undefined && { description }) });
