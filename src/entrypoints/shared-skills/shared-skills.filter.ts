import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError, type ErrorKind } from '../../platform/errors/app-error.js';
import { notFound } from './skills-link.guard.js';

const STATUS = {
  invalid: 422,
  unauthorized: 404,
  denied: 404,
  not_found: 404,
  conflict: 409,
  outdated: 412,
  rate_limited: 429,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** Answers expected failures. A forbidden package looks like a missing one. */
@Catch(AppError)
export class SharedSkillsFilter implements ExceptionFilter<AppError> {
  private readonly logger = new Logger('SharedSkills');

  catch(error: AppError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const statusCode = STATUS[error.kind];
    if (error.kind === 'invalid') this.logger.warn(`A skill package cannot be packed: ${error.message}`);
    if (response.headersSent) return void response.destroy();
    if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds));
    const body =
      statusCode === 404 ? notFound(http.getRequest<Request>()).getResponse() : { statusCode, message: error.message };
    response.status(statusCode).json(body);
  }
}
