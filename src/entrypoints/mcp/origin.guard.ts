import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { OwnPages } from '../../platform/service-info/own-page.service.js';
import { EndpointGuard, type EndpointRequest } from './endpoint.guard.js';
import { RequestRefused } from './mcp-error.filter.js';
import { McpTransport } from './mcp-transport.provider.js';

/** Refuses requests of foreign web pages, and requests for another host. */
@Injectable()
export class OriginGuard extends EndpointGuard {
  constructor(
    private readonly transport: McpTransport,
    private readonly pages: OwnPages,
  ) {
    super();
  }

  override admit(req: EndpointRequest, res: ServerResponse): void {
    const refusal = this.transport.endpoint.refusal(req, res, () => this.pages.isOwnPage(req.headers, new Date()));
    if (refusal) throw new RequestRefused(refusal);
  }
}
