import type { ServerResponse } from 'node:http';
import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiKeyGuard } from './api-key.guard.js';
import type { EndpointRequest } from './endpoint.guard.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { McpTransport } from './mcp-transport.provider.js';
import { OriginGuard } from './origin.guard.js';
import { RateLimitGuard } from './rate-limit.guard.js';

/**
 * The MCP endpoint at `/mcp` and `/mcp/`, without a redirect, and at `/mcp/oauth` for people who have signed in. Usual requests
 * take the straight way (`straight-way.ts`), with the same guards.
 */
@ApiExcludeController()
@Controller(['mcp', 'mcp/oauth'])
@UseGuards(OriginGuard, ApiKeyGuard, RateLimitGuard)
@UseFilters(McpErrorFilter)
export class McpController {
  constructor(private readonly transport: McpTransport) {}

  @All()
  handle(@Req() req: EndpointRequest, @Res() res: ServerResponse): Promise<void> {
    return this.transport.endpoint.handle(req, res, req.caller);
  }
}
