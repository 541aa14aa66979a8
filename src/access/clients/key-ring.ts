import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { type ClientLimits, endOf, type NamedClient, NO_LIMITS } from './client.js';

interface ValidKey {
  /** One object for every request with this key. */
  client: Client;
  endsAtMs: number; // Infinity = never
}

/** A key that is no longer valid. */
export interface EndedKey {
  client: string;
  /** What is shown of the key. */
  key: string;
}

/** The keys of named clients that are valid at one moment, to be looked up by their hashes. */
export class KeyRing {
  private readonly keys = new Map<string, ValidKey>();
  private readonly clients = new Map<string, Client>();
  private readonly limits = new Map<string, ClientLimits>();
  /** When the next key ends. */
  readonly nextEndMs: number = Infinity;

  constructor(clients: readonly NamedClient[], nowMs: number) {
    for (const client of clients) {
      const groups = Object.freeze([...client.groups]);
      for (const key of client.keys) {
        const endsAtMs = endOf(client, key)?.getTime() ?? Infinity;
        if (endsAtMs <= nowMs) continue;
        const origin = Object.freeze({ ...UNKNOWN_ORIGIN, key: key.shown });
        this.keys.set(key.hash, { client: Object.freeze({ name: client.name, groups, origin }), endsAtMs });
        this.clients.set(client.name, Object.freeze({ name: client.name, groups }));
        this.limits.set(client.name, client.limits);
        this.nextEndMs = Math.min(this.nextEndMs, endsAtMs);
      }
    }
  }

  /** Returns the client whose key has this hash; null when none has, or the key has ended. */
  ownerOf(hash: string, nowMs: number): Client | null {
    const key = this.keys.get(hash);
    return key !== undefined && nowMs < key.endsAtMs ? key.client : null;
  }

  /** Returns a client that has a valid key, as it is without a request. */
  find(name: string): Client | undefined {
    return this.clients.get(name);
  }

  /** Returns what a client may do at most. */
  limitsOf(name: string): ClientLimits {
    return this.limits.get(name) ?? NO_LIMITS;
  }

  /** How many clients have a valid key. */
  get size(): number {
    return this.clients.size;
  }

  /** Returns the keys of this ring that a later one no longer has. */
  endedIn(later: KeyRing): EndedKey[] {
    return [...this.keys]
      .filter(([hash]) => !later.keys.has(hash))
      .map(([, { client }]) => ({ client: client.name, key: client.origin?.key ?? '' }));
  }
}
