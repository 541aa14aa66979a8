import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { AppError } from '../../errors/app-error.js';

/** Thrown when a body is not JSON. */
class InvalidJson extends AppError {
  constructor() {
    super('invalid', 'invalid_json', 'the body is not valid JSON');
  }
}

/** Reads the bodies of the admin API; the MCP endpoint reads its own. */
export const readJson = jsonReader('1mb');

/** Reads bodies that hold documents. */
export const readLargeJson = jsonReader('16mb');

function jsonReader(limit: string): RequestHandler {
  const parseJson = json({ limit });
  return (request, response, next) =>
    parseJson(request, response, (error: unknown) => {
      // The parser's own message repeats parts of the body, which may hold a password.
      next(isParseFailure(error) ? new InvalidJson() : error);
    });
}

function isParseFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'type' in error && error.type === 'entity.parse.failed';
}

export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
      'img-src': ["'self'", 'data:'],
      'object-src': ["'none'"],
      // The UI's components write style elements.
      'style-src': ["'self'", "'unsafe-inline'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  // Whether this host is only ever https is for its proxy to say.
  strictTransportSecurity: false,
});

export function neverCached(_request: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}
