import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import type { Client } from '#skill-kit';
import type { PolicyDecision, ResourceRead } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import {
  InvalidCursor,
  type Page,
  type PageRequest,
  parseCursor,
  toCursor,
} from '../../platform/paging/page-cursor.js';
import type { ListedSubject } from '../../access/policy/policy-request.js';
import { NOT_ASKED, PolicyService } from '../../access/policy/policy.service.js';
import type {
  Completion,
  ReadOptions,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  Suggestions,
} from './resource-store.js';
import { ResourceDenied, ResourceNotFound } from './resources.errors.js';
import { expandTemplate } from './uri-template.rules.js';

/** How many values of a variable to consider. With more, the total is not reported. */
const MOST_SUGGESTIONS = 10_000;
/** How many decisions to make before yielding to other work. */
const DECISIONS_AT_ONCE = 100;

/** A URI with the store that owns it. */
interface Place {
  store: ResourceStore;
  /** The canonical URI, which policies use. */
  canonical: string;
}

/** Routes requests to the store that owns the URI, if policy permits them. */
@Injectable()
export class ResourceRouter {
  private stores: ReadonlyMap<string, ResourceStore> = new Map();

  constructor(
    private readonly policy: PolicyService,
    private readonly events: EventBus,
  ) {}

  /** Routes all URIs of the store's scheme to it. @throws TypeError when another store has the scheme */
  register(store: ResourceStore): void {
    if (this.stores.has(store.scheme)) throw new TypeError(`two stores claim the scheme ${store.scheme}:`);
    const stores = [...this.stores.values(), store].sort((one, other) => one.position - other.position);
    this.stores = new Map(stores.map((each) => [each.scheme, each]));
    store.watch({
      updated: (uri) => this.events.emit('resource.updated', { uri }),
      listChanged: () => this.events.emit('resources.changed', { store: store.scheme }),
    });
  }

  /** Returns one page of the resources that the client may read, store by store. @throws InvalidCursor */
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
      items.push(...page.items.filter(({ uri }) => this.mayRead(client, uri)));
      within = page.nextCursor ?? undefined;
      if (within === undefined) position += 1;
    }
    return { items, nextCursor: null };
  }

  /** Returns the templates under which the client may read at least one resource. */
  templates(client: Client): ResourceTemplateEntry[] {
    const templates = [...this.stores.values()].flatMap((store) => store.templates());
    return templates.filter(({ uriTemplate }) => this.policy.mayShowTemplate(client, uriTemplate));
  }

  /** Returns the contents of a resource. @throws ResourceNotFound, ResourceDenied */
  async read(client: Client, uri: string, options: ReadOptions = {}): Promise<ResourceContent[]> {
    const startedAt = performance.now();
    const read = (outcome: ResourceRead['outcome'], decision: PolicyDecision): void =>
      this.events.emit('resource.read', {
        uri,
        client,
        decision,
        outcome,
        durationMs: performance.now() - startedAt,
        at: new Date(),
      });
    const place = this.placeOf(uri);
    const decision = place ? this.decide(client, place.canonical) : NOT_ASKED;
    if (place && !decision.allowed) {
      read('denied', decision);
      throw new ResourceDenied(uri, decision);
    }
    try {
      const contents = (await place?.store.read(uri, client, options)) ?? null;
      read(contents ? 'ok' : 'unknown', decision);
      if (contents) return contents;
    } catch (error) {
      read('error', decision);
      throw error;
    }
    throw this.notFound(client, uri);
  }

  /** Returns the canonical URI, which policies and subscriptions use; null when no store can have such a resource. */
  canonical(uri: string): string | null {
    return this.placeOf(uri)?.canonical ?? null;
  }

  /** Returns the policy subject for a URI, whether a resource exists there or not. */
  subjectOf(uri: string): Extract<ListedSubject, { action: 'readResource' }> {
    return this.policy.asSeen({ action: 'readResource', uri: this.canonical(uri) ?? uri });
  }

  mayRead(client: Client, uri: string): boolean {
    const place = this.placeOf(uri);
    return place !== null && this.decide(client, place.canonical).allowed;
  }

  /**
   * Checks that a store owns the URI and that policy lets the client read it.
   * @throws ResourceNotFound, ResourceDenied
   */
  assertMayRead(client: Client, uri: string): void {
    const place = this.placeOf(uri);
    if (!place) throw this.notFound(client, uri);
    const decision = this.decide(client, place.canonical);
    if (!decision.allowed) throw new ResourceDenied(uri, decision);
  }

  /**
   * Returns the completions of a template variable that lead to resources that the client may read; none for an unknown variable.
   * @throws ResourceNotFound when no store has the template
   */
  async complete(client: Client, uriTemplate: string, completion: Omit<Completion, 'limit'>): Promise<Suggestions> {
    const store = this.storeOf(uriTemplate);
    const isKnown = store?.templates().some((template) => template.uriTemplate === uriTemplate);
    if (!store || !isKnown || !this.policy.mayShowTemplate(client, uriTemplate))
      throw this.notFound(client, uriTemplate);
    if (!uriTemplate.includes(`{${completion.variable}}`)) return { values: [], areAll: true };
    const found = await store.complete({ ...completion, limit: MOST_SUGGESTIONS + 1 }, client);
    const areAll = found.length <= MOST_SUGGESTIONS;
    if (!this.policy.distinguishesResources(client)) return { values: found, areAll };
    const { variable, chosen } = completion;
    const values: string[] = [];
    for (const [index, value] of found.entries()) {
      // Without the variables before it, it is unknown which resources a value leads to.
      const uri = expandTemplate(uriTemplate, variable, { ...chosen, [variable]: value });
      if (uri !== null && this.decide(client, store.canonical(uri) ?? uri).allowed) values.push(value);
      if ((index + 1) % DECISIONS_AT_ONCE === 0) await nextTurn();
    }
    return { values, areAll };
  }

  private decide(client: Client, uri: string): PolicyDecision {
    return this.policy.decide({ client, action: 'readResource', uri });
  }

  private placeOf(uri: string): Place | null {
    const store = this.storeOf(uri);
    const canonical = store?.canonical(uri) ?? null;
    return store && canonical !== null ? { store, canonical } : null;
  }

  private storeOf(uri: string): ResourceStore | undefined {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1];
    return scheme === undefined ? undefined : this.stores.get(scheme.toLowerCase());
  }

  private notFound(client: Client, uri: string): ResourceNotFound {
    const forms = this.templates(client).map(({ uriTemplate }) => uriTemplate);
    const store = this.storeOf(uri);
    const similar = forms.filter((form) => store && form.startsWith(`${store.scheme}:`));
    return new ResourceNotFound(uri, similar.length > 0 ? similar : forms);
  }
}

/** A provider that registers stores of resources when the application starts. */
export const servesResources = (...stores: Type<ResourceStore>[]): Provider => ({
  provide: Symbol('stores of resources'),
  useFactory: (router: ResourceRouter, ...all: ResourceStore[]): OnModuleInit => ({
    onModuleInit: () => all.forEach((store) => router.register(store)),
  }),
  inject: [ResourceRouter, ...stores],
});
