import { ProtocolError } from '@modelcontextprotocol/server';
import { ErrorCode, ResourceNotFoundError, type WireError } from '#mcp-http';
import { AppError, type ErrorKind } from '../errors/app-error.js';
import { ResourceNotFound } from '../resources/resources.errors.js';

/** Thrown in the guards: the request ends here, with this answer. */
export class RequestRefused extends Error {
  constructor(
    readonly error: WireError,
    readonly headers: Record<string, string> = {},
  ) {
    super(error.message);
  }
}

/** What a failure in a request handler is on the wire. Unknown errors are bugs: their text stays in the log. */
export function toProtocolError(error: unknown, logBug: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof ResourceNotFound) return new ResourceNotFoundError(error.message, error.uri);
  if (error instanceof AppError) return new ProtocolError(codeOf(error.kind), error.message, { code: error.code });
  logBug(error);
  return new ProtocolError(ErrorCode.internalError, 'Internal error: the service log says more');
}

function codeOf(kind: ErrorKind): number {
  switch (kind) {
    case 'not_found':
    case 'invalid':
    case 'conflict':
      return ErrorCode.invalidParams;
    case 'denied':
    case 'unauthorized':
    case 'rate_limited':
      return ErrorCode.refused;
    case 'unavailable':
      return ErrorCode.internalError;
  }
}
