import { type ServerContext, specTypeSchemas } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf } from '#mcp-http';
import type { Client } from '#skill-kit';
import { ClientsService } from '../../access/clients/clients.service.js';
import { ResourceRouter } from '../../core/resources/resource.router.js';
import { type Capability, handler, PAGE_SIZE, pageOf, type Served } from './capability.js';

const { PaginatedRequestParams, ReadResourceRequestParams, SubscribeRequestParams, UnsubscribeRequestParams } =
  specTypeSchemas;

interface UriParams {
  uri: string;
}

/** `resources/list`, `resources/templates/list`, `resources/read`, and `resources/subscribe` of sessions. */
@Injectable()
export class ResourcesCapability implements Capability {
  readonly handlers = [
    handler('resources/list', PaginatedRequestParams, (params, ctx) => this.list(params?.cursor, ctx)),
    handler('resources/templates/list', PaginatedRequestParams, (params, ctx) => this.templates(params?.cursor, ctx)),
    handler('resources/read', ReadResourceRequestParams, ({ uri }, ctx) => this.read(uri, ctx)),
    handler(
      'resources/subscribe',
      SubscribeRequestParams,
      (params, ctx, served) => this.subscribe(params, ctx, served),
      'sessions',
    ),
    handler(
      'resources/unsubscribe',
      UnsubscribeRequestParams,
      (params, _ctx, served) => this.unsubscribe(params, served),
      'sessions',
    ),
  ];

  constructor(
    private readonly resources: ResourceRouter,
    private readonly clients: ClientsService,
  ) {}

  /** Returns whether a client may be notified of changes to a resource: if it may read the resource. */
  mayWatch(client: Client, uri: string): boolean {
    // A stream has the client as of its opening.
    const now = this.clients.find(client.name);
    return now !== null && this.resources.mayRead({ ...client, groups: now.groups }, uri);
  }

  /** Returns the canonical URI of a resource, under which its changes are reported. */
  canonicalUri(uri: string): string {
    return this.resources.canonical(uri) ?? uri;
  }

  private async subscribe({ uri }: UriParams, ctx: ServerContext, { subscriptions }: Served) {
    this.resources.assertMayRead(callerOf<Client>(ctx), uri);
    await subscriptions?.add(uri);
    return {};
  }

  private async unsubscribe({ uri }: UriParams, { subscriptions }: Served) {
    await subscriptions?.remove(uri);
    return {};
  }

  private async list(cursor: string | undefined, ctx: ServerContext) {
    const { items, nextCursor } = await this.resources.listPage(callerOf<Client>(ctx), { limit: PAGE_SIZE, cursor });
    return { resources: items, ...(nextCursor !== null && { nextCursor }) };
  }

  private async templates(cursor: string | undefined, ctx: ServerContext) {
    const { page, ...next } = pageOf(this.resources.templates(callerOf<Client>(ctx)), cursor);
    return { resourceTemplates: page, ...next };
  }

  private async read(uri: string, ctx: ServerContext) {
    return { contents: await this.resources.read(callerOf<Client>(ctx), uri) };
  }
}
