import { type Server, type ServerContext, specTypeSchemas } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf, type ResourceSubscriptions } from '#mcp-http';
import type { Client } from '#skill-kit';
import { ClientsService } from '../../access/clients/clients.service.js';
import { ResourceRouter } from '../../core/resources/resource.router.js';
import { type Capability, handler, PAGE_SIZE, pageOf } from './capability.js';

const { PaginatedRequestParams, ReadResourceRequestParams, SubscribeRequestParams, UnsubscribeRequestParams } =
  specTypeSchemas;

/** `resources/list`, `resources/templates/list`, `resources/read`, and `resources/subscribe` of sessions. */
@Injectable()
export class ResourcesCapability implements Capability {
  private readonly handlers = [
    handler('resources/list', PaginatedRequestParams, (params, ctx) => this.list(params?.cursor, ctx)),
    handler('resources/templates/list', PaginatedRequestParams, (params, ctx) => this.templates(params?.cursor, ctx)),
    handler('resources/read', ReadResourceRequestParams, ({ uri }, ctx) => this.read(uri, ctx)),
  ];

  constructor(
    private readonly resources: ResourceRouter,
    private readonly clients: ClientsService,
  ) {}

  register(server: Server, subscriptions: ResourceSubscriptions | null): void {
    for (const register of this.handlers) register(server);
    if (subscriptions) this.registerSubscriptions(server, subscriptions);
  }

  /** Returns whether a client may be told of changes to a resource: it may when it may read the resource. */
  mayWatch(client: Client, uri: string): boolean {
    // A stream knows the client as it was when the stream was opened.
    const now = this.clients.find(client.name);
    return now !== null && this.resources.mayRead({ ...client, groups: now.groups }, uri);
  }

  /** Returns the URI by which a resource is known, and under which changes of it are reported. */
  canonicalUri(uri: string): string {
    return this.resources.canonical(uri) ?? uri;
  }

  private registerSubscriptions(server: Server, subscriptions: ResourceSubscriptions): void {
    const subscribe = handler('resources/subscribe', SubscribeRequestParams, async ({ uri }, ctx) => {
      this.resources.assertMayRead(callerOf<Client>(ctx), uri);
      await subscriptions.add(uri);
      return {};
    });
    const unsubscribe = handler('resources/unsubscribe', UnsubscribeRequestParams, async ({ uri }) => {
      await subscriptions.remove(uri);
      return {};
    });
    for (const register of [subscribe, unsubscribe]) register(server);
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
