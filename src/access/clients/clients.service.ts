import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { SettingsService } from '../../platform/config/settings.service.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SerialQueue } from '../../platform/periodic/serial-queue.js';
import { hashOfKey, isClientKey, keyIn } from './client-key.rules.js';
import { type ClientLimits, endOf, type NamedClient, NO_LIMITS, RESERVED_CLIENTS } from './client.js';
import { ClientStore } from './client.store.js';
import { ownerSince } from './owner.js';
import type { Person } from './person.js';
import { SessionStore } from './session.store.js';

interface ValidKey {
  /** The same object for all requests with this key. */
  client: Client;
  endsAtMs: number; // Infinity = never
}

interface EndedKey {
  client: string;
  /** The displayed part of the key. Absent: a person may no longer call, with any program. */
  key?: string;
}

interface Callers {
  clients: readonly NamedClient[];
  people: readonly Person[];
}

/** A snapshot of the valid keys of named clients, by their hashes. */
export class KeyRing {
  private readonly keys = new Map<string, ValidKey>();
  private readonly clients = new Map<string, Client>();
  private readonly limits = new Map<string, ClientLimits>();
  readonly nextEndMs: number = Infinity;

  private readonly people: ReadonlyMap<string, Client>;

  constructor(clients: readonly NamedClient[], nowMs: number, people: readonly Person[] = []) {
    this.people = new Map(people.map((person) => [person.name, asClient(person)]));
    for (const client of clients) {
      const caller = asClient(client);
      for (const key of client.keys) {
        const endsAtMs = endOf(client, key)?.getTime() ?? Infinity;
        if (endsAtMs <= nowMs) continue;
        const origin = Object.freeze({ ...UNKNOWN_ORIGIN, key: key.shown });
        this.keys.set(key.hash, { client: Object.freeze({ ...caller, origin }), endsAtMs });
        this.clients.set(client.name, caller);
        this.limits.set(client.name, client.limits);
        this.nextEndMs = Math.min(this.nextEndMs, endsAtMs);
      }
    }
  }

  /** Returns the client whose key has this hash; null when the key is unknown or has expired. */
  ownerOf(hash: string, nowMs: number): Client | null {
    const key = this.keys.get(hash);
    return key !== undefined && nowMs < key.endsAtMs ? key.client : null;
  }

  /** Returns a person, or a client that has a valid key, without the origin of a request. */
  find(name: string): Client | undefined {
    return this.clients.get(name) ?? this.people.get(name);
  }

  limitsOf(name: string): ClientLimits {
    return this.limits.get(name) ?? NO_LIMITS;
  }

  /** Number of clients that have a valid key. */
  get size(): number {
    return this.clients.size;
  }

  /** Returns the keys and people of this ring that are missing in a later one. */
  endedIn(later: KeyRing): EndedKey[] {
    const keys = [...this.keys].filter(([hash]) => !later.keys.has(hash));
    const people = [...this.people].filter(([name, { owner }]) => later.people.get(name)?.owner !== owner);
    return [
      ...keys.map(([, { client }]) => ({ client: client.name, key: client.origin?.key ?? '' })),
      ...people.map(([client]) => ({ client })),
    ];
  }
}

/** Hashes keys, and caches the last one of each connection: most programs send the same key with every request. */
class KeyHashes {
  private readonly last = new WeakMap<object, { authorization: string; hash: string }>();

  /** Returns the hash of the key in an `Authorization` header; null when it does not have the form of a key. */
  of(authorization: string, connection: object | undefined): string | null {
    const last = connection && this.last.get(connection);
    // Not a timing leak: strings are compared many characters at a time, and most of these are random.
    if (last?.authorization === authorization) return last.hash;
    const key = keyIn(authorization);
    if (key === undefined || !isClientKey(key)) return null;
    const hash = hashOfKey(key);
    if (connection) this.last.set(connection, { authorization, hash });
    return hash;
  }
}

const asClient = ({ name, groups, createdAt }: Person): Client =>
  Object.freeze({ name, groups: Object.freeze([...groups]), owner: ownerSince(name, createdAt) });

/** Longest delay of a timer; for later times, it is started again. */
const LONGEST_WAIT_MS = 3_600_000;
const RETRY_MS = 1_000;

const withoutGroups = (name: string): Client => Object.freeze({ name, groups: Object.freeze([]) });
const RESERVED: ReadonlyMap<string, Client> = new Map(RESERVED_CLIENTS.map((name) => [name, withoutGroups(name)]));
// The same object for all requests of the client.
const DEFAULT_CLIENT = RESERVED.get('default') ?? withoutGroups('default');

/** `isFromElsewhere`: another replica made the change. */
type ChangeSource = { isFromElsewhere?: true };

/**
 * Authenticates clients by their keys, which are kept in memory. Changes and expiries take effect on every replica. When a key
 * ends, so do the sessions that were opened with it.
 */
@Injectable()
export class ClientsService implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ClientsService.name);
  private clients: readonly NamedClient[] = [];
  private people: readonly Person[] = [];
  private ring = new KeyRing([], 0);
  private readonly hashes = new KeyHashes();
  private timer: NodeJS.Timeout | null = null; // null = no timer is set
  /** An older state must not be applied after a newer one. */
  private readonly queue = new SerialQueue();
  private isStopped = false;

  constructor(
    private readonly store: ClientStore,
    private readonly sessions: SessionStore,
    private readonly settings: SettingsService,
    private readonly events: EventBus,
    private readonly replicas: ReplicaChannel,
  ) {
    events.on('setting.changed', ({ key }) => {
      if (key === 'mcp.api_key') this.endDefault().catch((error: unknown) => this.logger.error(error));
    });
    events.on('accounts.changed', () => {
      this.changed().catch((error: unknown) => this.logger.error(error));
    });
    replicas.on('clients', () => this.reload({ isFromElsewhere: true }));
  }

  async onModuleInit(): Promise<void> {
    await this.reload({});
    await this.deleted(this.sessions.deleteWithoutKey(new Date(Date.now())));
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /**
   * Returns the owner of the key in an `Authorization` header; null when the key is missing or wrong.
   * @param connection the connection of the request
   */
  authenticate(authorization: string | undefined, connection?: object): Client | null {
    if (authorization === undefined) return null;
    const hash = this.hashes.of(authorization, connection);
    const owner = hash === null ? null : this.ring.ownerOf(hash, Date.now());
    if (owner) return owner;
    const key = keyIn(authorization);
    return key !== undefined && this.settings.matchesSecret('mcp.api_key', key) ? DEFAULT_CLIENT : null;
  }

  /** Returns a client with its current groups; null when no such client has a valid key. */
  find(name: string): Client | null {
    return this.ring.find(name) ?? RESERVED.get(name) ?? null;
  }

  /** Returns the individual limits of a client. Called for every request, so it must be fast. */
  limitsOf(name: string): ClientLimits {
    return this.ring.limitsOf(name);
  }

  /** Returns the clients with their own keys, ordered by name. */
  list(): readonly NamedClient[] {
    return this.clients;
  }

  /** Returns the people who may call, ordered by name. */
  listPeople(): readonly Person[] {
    return this.people;
  }

  /** Returns the names of all groups, in alphabetical order. */
  groups(): string[] {
    return [...new Set([...this.clients, ...this.people].flatMap(({ groups }) => groups))].sort();
  }

  /** Returns whether there is a valid key, without which nobody can call. */
  isConfigured(): boolean {
    return this.ring.size > 0 || this.settings.isSet('mcp.api_key');
  }

  /** Returns everybody who may call: clients with a key, and people. */
  all(): readonly Client[] {
    return [DEFAULT_CLIENT, ...[...this.clients, ...this.people].flatMap(({ name }) => this.ring.find(name) ?? [])];
  }

  /** Number of clients that have a valid key. */
  count(): number {
    return this.ring.size + (this.settings.isSet('mcp.api_key') ? 1 : 0);
  }

  /** Applies stored changes here and on the other replicas. Resolves when they are in effect here. */
  async changed(): Promise<void> {
    try {
      await this.reload({});
    } finally {
      await this.replicas.notify('clients');
    }
  }

  /**
   * Applies the stored state, and retries until it can be read. @param source is part of the events: whether another replica made
   * the changes
   */
  async reload(source: ChangeSource): Promise<void> {
    try {
      await this.queue.run(async () => this.adopt(await this.read(), source));
    } catch (error) {
      await this.expire();
      this.plan(RETRY_MS, () => this.reload(source));
      throw error;
    }
  }

  async expire(): Promise<void> {
    await this.queue.run(() => this.adopt({ clients: this.clients, people: this.people }, {}));
  }

  private async read(): Promise<Callers> {
    return { clients: await this.store.list(), people: await this.store.listPeople() };
  }

  private async adopt({ clients, people }: Callers, source: ChangeSource): Promise<void> {
    const nowMs = Date.now();
    const [former, ring] = [this.ring, new KeyRing(clients, nowMs, people)];
    const changed = [...changedNames(this.clients, clients), ...changedNames(this.people, people)];
    [this.clients, this.people, this.ring] = [clients, people, ring];
    this.plan(Math.min(ring.nextEndMs - nowMs, LONGEST_WAIT_MS), () => this.expire());
    const ended = former.endedIn(ring);
    const names = [...new Set([...changed, ...ended.map(({ client }) => client)])];
    if (names.length > 0) this.events.emit('clients.changed', { names, ...source });
    for (const key of ended) this.events.emit('client.revoked', key);
    if (ended.length === 0) return;
    const owners = [...new Set(ended.map(({ client }) => client))];
    await this.deleted(this.sessions.deleteWithoutKey(new Date(nowMs), owners));
  }

  private async endDefault(): Promise<void> {
    this.events.emit('client.revoked', { client: DEFAULT_CLIENT.name });
    await this.deleted(this.sessions.deleteOf(DEFAULT_CLIENT.name));
  }

  /** Waits for the deletion of sessions. It may fail: they are useless without their key, and are deleted when idle. */
  private async deleted(deletion: Promise<void>): Promise<void> {
    try {
      await deletion;
    } catch (error) {
      this.logger.warn({ err: error }, 'Sessions of keys that have ended could not be deleted');
    }
  }

  private plan(afterMs: number, work: () => Promise<void>): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      work().catch((error: unknown) => this.logger.warn(`clients could not be read: ${String(error)}`));
    }, afterMs).unref();
  }
}

/** Returns the names of callers that differ between two lists. */
function changedNames<Caller extends { name: string }>(before: readonly Caller[], after: readonly Caller[]): string[] {
  const texts = new Map(before.map((client) => [client.name, JSON.stringify(client)]));
  const changed = after.filter((client) => texts.get(client.name) !== JSON.stringify(client));
  const remaining = new Set(after.map(({ name }) => name));
  return [...changed, ...before.filter(({ name }) => !remaining.has(name))].map(({ name }) => name);
}
