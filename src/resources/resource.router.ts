import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { EventBus } from '../events/event-bus.service.js';
import { InvalidCursor, type Page, type PageRequest, parseCursor, toCursor } from '../paging/page-cursor.js';
import { PolicyService } from '../policy/policy.service.js';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
} from './resource-store.js';
import { ResourceDenied, ResourceNotFound } from './resources.errors.js';

/** Passes requests to the store that owns a URI, if policy permits them. */
@Injectable()
export class ResourceRouter {
  private readonly stores = new Map<string, ResourceStore>();

  constructor(
    private readonly policy: PolicyService,
    private readonly events: EventBus,
  ) {}

  /** Routes all URIs of the store's scheme to it. @throws TypeError when another store has the scheme */
  register(store: ResourceStore): void {
    if (this.stores.has(store.scheme)) throw new TypeError(`two stores claim the scheme ${store.scheme}:`);
    this.stores.set(store.scheme, store);
    store.watch({
      updated: (uri) => this.events.emit('resource.updated', { uri }),
      listChanged: () => this.events.emit('resources.changed', { store: store.scheme }),
    });
    this.events.emit('resources.changed', { store: store.scheme });
  }

  /** Returns one page of the resources that the client may read, one store after the other. @throws InvalidCursor */
  async listPage(client: Client, { limit, cursor }: PageRequest): Promise<Page<ResourceEntry>> {
    const stores = [...this.stores.values()];
    const [scheme, start = ''] = cursor === undefined ? [] : parseCursor(cursor, 2);
    let position = scheme === undefined ? 0 : stores.findIndex((store) => store.scheme === scheme);
    if (position < 0) throw new InvalidCursor();
    let within = start === '' ? undefined : start;
    const items: ResourceEntry[] = [];
    for (let store = stores[position]; store; store = stores[position]) {
      if (items.length >= limit) return { items, nextCursor: toCursor(store.scheme, within ?? '') };
      const page = await store.listPage({ limit: limit - items.length, cursor: within }, client);
      items.push(...page.items.filter(({ uri }) => this.decide(client, uri).allowed));
      within = page.nextCursor ?? undefined;
      if (within === undefined) position += 1;
    }
    return { items, nextCursor: null };
  }

  templates(): ResourceTemplateEntry[] {
    return [...this.stores.values()].flatMap((store) => store.templates());
  }

  /** Returns the contents of a resource. @throws ResourceNotFound, ResourceDenied */
  async read(client: Client, uri: string): Promise<ResourceContent[]> {
    this.assertMayRead(client, uri);
    const contents = await this.findStore(uri)?.read(uri, client);
    if (!contents) throw new ResourceNotFound(uri, this.templateUris());
    return contents;
  }

  /**
   * Checks that a store owns the URI and that policy lets the client read it.
   * @throws ResourceNotFound, ResourceDenied
   */
  assertMayRead(client: Client, uri: string): void {
    const decision = this.decide(client, uri);
    if (!decision.allowed) throw new ResourceDenied(uri, decision.policies);
    if (!this.findStore(uri)) throw new ResourceNotFound(uri, this.templateUris());
  }

  /** Returns completions of a variable of a template. @throws ResourceNotFound when no store has the template */
  async complete(client: Client, uriTemplate: string, completion: Completion): Promise<string[]> {
    const store = this.findStore(uriTemplate);
    if (!store) throw new ResourceNotFound(uriTemplate, this.templateUris());
    return store.complete(completion, client);
  }

  private decide(client: Client, uri: string) {
    return this.policy.decide({ principal: client, action: 'readResource', resource: uri });
  }

  private findStore(uri: string): ResourceStore | undefined {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1];
    return scheme === undefined ? undefined : this.stores.get(scheme.toLowerCase());
  }

  private templateUris(): string[] {
    return this.templates().map((template) => template.uriTemplate);
  }
}
