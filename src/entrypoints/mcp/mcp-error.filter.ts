import type { ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { ErrorCode, sendError, type WireError } from '#mcp-http';
import { AppError } from '../../platform/errors/app-error.js';

const RETRY_AFTER_SECONDS = 10;

/** Thrown by a guard to end the request with this response. */
export class RequestRefused extends Error {
  constructor(
    readonly error: WireError,
    readonly headers: Record<string, string> = {},
  ) {
    super(error.message);
  }
}

/** Answers every error at the endpoint with a JSON-RPC error, never with HTML. */
@Catch()
export class McpErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(McpErrorFilter.name);

  catch(exception: unknown, host: ArgumentsHost): void {
    this.answer(exception, host.switchToHttp().getResponse<ServerResponse>());
  }

  answer(exception: unknown, res: ServerResponse): void {
    if (exception instanceof RequestRefused) return sendError(res, exception.error, null, exception.headers);
    this.logger.error({ err: exception }, 'The MCP endpoint failed');
    if (exception instanceof AppError && exception.kind === 'unavailable') {
      const error = { httpStatus: 503, code: ErrorCode.refused, message: exception.message };
      return sendError(res, error, null, { 'Retry-After': String(exception.retryAfterSeconds ?? RETRY_AFTER_SECONDS) });
    }
    sendError(res, {
      httpStatus: 500,
      code: ErrorCode.internalError,
      message: 'Internal error: the service log says more',
    });
  }
}
