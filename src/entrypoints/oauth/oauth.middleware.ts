import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import { AuthorizationServer } from '../../access/oauth/authorization-server.service.js';
import { RegisteredPrograms } from '../../access/oauth/registered-programs.service.js';
import { ISSUER_PATH, OAuthAddresses } from '../../access/clients/oauth-addresses.service.js';
import { Newcomers } from './newcomers.service.js';
import { type Destination, destinationOf } from './oauth-routes.rules.js';

interface OAuthRequest extends IncomingMessage {
  originalUrl?: string;
}

const RETRY_AFTER_S = 10;
/** RFC 7591, section 3.2.2, has no better error code for it. */
const ONLY_LISTED = {
  error: 'access_denied',
  error_description:
    'only programs that an administrator has entered may be used here: ask an administrator to enter yours',
};

/** Serves the authorization server, and the metadata of both servers, where people can sign in. Passes all other requests on. */
@Injectable()
export class OAuthMiddleware implements NestMiddleware {
  private readonly logger = new Logger('OAuth');

  constructor(
    private readonly server: AuthorizationServer,
    private readonly addresses: OAuthAddresses,
    private readonly programs: RegisteredPrograms,
    private readonly newcomers: Newcomers,
  ) {}

  async use(req: OAuthRequest, res: ServerResponse, next: () => void): Promise<void> {
    const destination = this.addresses.isOn() ? this.destination(req) : null;
    if (!destination || (destination.kind === 'server' && !this.addresses.isServer())) return next();
    // Pages of other sites may read the metadata and request tokens: neither depends on cookies.
    if (destination.isOpen && req.method === 'OPTIONS') return allowOthers(req, res);
    try {
      await this.serve(destination, req, res);
    } catch (error) {
      this.logger.error({ err: error }, 'A request to the authorization server failed');
      if (res.headersSent) return void res.destroy();
      const description = `the service cannot answer at the moment: try again in ${RETRY_AFTER_S} s`;
      res.setHeader('Retry-After', RETRY_AFTER_S);
      sendJson(res, 503, { error: 'temporarily_unavailable', error_description: description });
    }
  }

  private destination(req: OAuthRequest): Destination | null {
    const url = req.originalUrl ?? req.url ?? '';
    return destinationOf(url, this.addresses.paths(), (sent) => this.addresses.resourceOf(sent));
  }

  private async serve(destination: Destination, req: OAuthRequest, res: ServerResponse): Promise<void> {
    const { methods } = destination;
    if (!methods.includes(req.method ?? '')) {
      res.setHeader('Allow', methods.join(', '));
      return sendJson(res, 405, { error: 'invalid_request', error_description: `use ${methods.join(' or ')}` });
    }
    if (destination.kind === 'resource') {
      res.setHeader('Access-Control-Allow-Origin', '*');
      return sendJson(res, 200, this.metadataOf(destination.path));
    }
    if (destination.isRegistration) {
      res.setHeader('Access-Control-Allow-Origin', '*');
      if (this.programs.onlyListed) return sendJson(res, 403, ONLY_LISTED);
    }
    const waitSeconds = destination.isCounted ? await this.newcomers.waitOf(req) : 0;
    if (waitSeconds > 0) {
      res.setHeader('Retry-After', waitSeconds);
      const description = `too many programs and sign-ins come from this address: try again in ${waitSeconds} s`;
      return sendJson(res, 429, { error: 'too_many_requests', error_description: description });
    }
    this.asPublished(req, destination.url);
    await this.server.handle(req, res);
  }

  /** RFC 9728, section 2. */
  private metadataOf(path: string): object {
    const scopes = this.addresses.scopes();
    return {
      resource: this.addresses.resourceAt(path),
      authorization_servers: [this.addresses.issuerElsewhere() ?? this.addresses.issuer],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'Agent Service',
    };
  }

  /** Rewrites the request as if it came to PUBLIC_URL: the server derives its links and cookies from it. */
  private asPublished(req: OAuthRequest, url: string): void {
    const { protocol, host } = new URL(this.addresses.publicUrl);
    req.headers.host = host;
    req.headers['x-forwarded-host'] = host;
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    req.url = url;
    req.originalUrl = ISSUER_PATH + url;
  }
}

function allowOthers(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, OPTIONS');
  res.setHeader('Access-Control-Allow-Headers', req.headers['access-control-request-headers'] ?? '*');
  res.setHeader('Access-Control-Max-Age', 3600);
  res.writeHead(204).end();
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
}
