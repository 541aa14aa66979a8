import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { isHostAllowed } from '#mcp-http';
import { Environment, publishedHostsOf } from '../../../platform/environment/environment.js';
import { AppError } from '../../../platform/errors/app-error.js';

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
      // The components of the UI add style elements.
      'style-src': ["'self'", "'unsafe-inline'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  // The proxy in front decides whether this host is reached over https only.
  strictTransportSecurity: false,
});

export function neverCached(_request: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}

/** Thrown when the Host header names another host: a web page may have pointed its own host name at this service. */
class HostNotPublished extends AppError {
  constructor(host: string) {
    super(
      'denied',
      'admin.host_not_allowed',
      `Host ${JSON.stringify(host.slice(0, 200))} is not allowed: set PUBLIC_URL to the address that browsers use`,
    );
  }
}

/** Admits requests whose Host header is a name of this service (protection against DNS rebinding), as the MCP endpoint does. */
@Injectable()
export class HostCheck implements NestMiddleware {
  private readonly published: readonly string[] | null;

  constructor(environment: Environment) {
    this.published = publishedHostsOf(environment);
  }

  use({ headers: { host } }: Request, _response: Response, next: NextFunction): void {
    if (this.published && !isHostAllowed(host, this.published)) throw new HostNotPublished(host ?? '');
    next();
  }
}
