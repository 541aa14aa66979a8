import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiKeyGuard, type AuthenticatedRequest, RateLimitGuard } from './api-key.guard.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { McpTransport } from './mcp-transport.provider.js';

/** The MCP endpoint, at `/mcp` and at `/mcp/`, without a redirect between them. */
@ApiExcludeController()
@Controller('mcp')
@UseGuards(ApiKeyGuard, RateLimitGuard)
@UseFilters(McpErrorFilter)
export class McpController {
  constructor(private readonly transport: McpTransport) {}

  @All()
  handle(@Req() req: AuthenticatedRequest, @Res() res: Response): Promise<void> {
    return this.transport.endpoint.handle(req, res, req.caller);
  }
}
