import type { RequestListener, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { KEY_PATH, TOKEN_PATH } from '../../access/clients/oauth-addresses.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import type { EndpointRequest } from './endpoint.guard.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { McpTransport } from './mcp-transport.provider.js';
import { OriginGuard } from './origin.guard.js';
import { RateLimitGuard } from './rate-limit.guard.js';

const PATHS: ReadonlySet<string | undefined> = new Set([KEY_PATH, TOKEN_PATH]);
const METHODS: ReadonlySet<string | undefined> = new Set(['POST', 'GET', 'DELETE']);

/**
 * Passes usual requests to `/mcp` directly to the endpoint, bypassing Express and Nest's router, which cost as much as the call.
 * All other requests go to the controller, which does the same.
 */
@Injectable()
export class StraightWay {
  constructor(
    private readonly origin: OriginGuard,
    private readonly keys: ApiKeyGuard,
    private readonly rates: RateLimitGuard,
    private readonly transport: McpTransport,
    private readonly errors: McpErrorFilter,
  ) {}

  /** Returns a listener that passes all other requests to `others`. */
  before(others: RequestListener): RequestListener {
    return (req, res) => {
      if (!PATHS.has(req.url) || !METHODS.has(req.method)) return others(req, res);
      this.serve(req as EndpointRequest, res).catch((error: unknown) => this.errors.answer(error, res));
    };
  }

  private async serve(req: EndpointRequest, res: ServerResponse): Promise<void> {
    this.origin.admit(req, res);
    const admitting = this.keys.admit(req);
    if (admitting) await admitting;
    this.rates.admit(req);
    await this.transport.endpoint.handle(req, res, req.caller);
  }
}
