import { Injectable } from '@nestjs/common';
import { type Server, type ServerContext, specTypeSchemas } from '@modelcontextprotocol/server';
import type { Client } from '#skill-kit';
import { callerOf } from '#mcp-http';
import { ResourceRouter } from '../resources/resource.router.js';
import { type Capability, handle, PAGE_SIZE, pageOf } from './capability.js';

/** `resources/list`, `resources/templates/list` and `resources/read`: whatever the stores hold. */
@Injectable()
export class ResourcesCapability implements Capability {
  constructor(private readonly resources: ResourceRouter) {}

  register(server: Server): void {
    const { PaginatedRequestParams, ReadResourceRequestParams } = specTypeSchemas;
    handle(server, 'resources/list', PaginatedRequestParams, (params, ctx) => this.list(params?.cursor, ctx));
    handle(server, 'resources/templates/list', PaginatedRequestParams, (params) => this.templates(params?.cursor));
    handle(server, 'resources/read', ReadResourceRequestParams, ({ uri }, ctx) => this.read(uri, ctx));
  }

  private async list(cursor: string | undefined, ctx: ServerContext) {
    const { items, nextCursor } = await this.resources.listPage(callerOf<Client>(ctx), { limit: PAGE_SIZE, cursor });
    return { resources: items, ...(nextCursor !== null && { nextCursor }) };
  }

  private async templates(cursor: string | undefined) {
    const { page, ...next } = pageOf(this.resources.templates(), cursor);
    return { resourceTemplates: page, ...next };
  }

  private async read(uri: string, ctx: ServerContext) {
    return { contents: await this.resources.read(callerOf<Client>(ctx), uri) };
  }
}
