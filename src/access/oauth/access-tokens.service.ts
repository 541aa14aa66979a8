import { Injectable, Logger } from '@nestjs/common';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { personName } from '../clients/person.js';
import { ArtifactStore, hashOf } from './artifact.store.js';
import { GrantStore } from './grant.store.js';

interface CachedToken {
  grantId: string;
  client: Client;
  audience: string;
  endsAtMs: number;
  notedAtMs: number;
}

const MOST_CACHED = 10_000;
/** Minimum interval between two writes of the last use of a grant. */
const NOTED_EVERY_MS = 5 * 60_000;

/** A token has 43 base64url characters (256 bits). */
const TOKEN = /^[\w-]{43}$/;

/** Validates the access tokens that people have given to programs. Caches those in use until any grant or account changes. */
@Injectable()
export class AccessTokens {
  private readonly logger = new Logger(AccessTokens.name);
  private readonly cached = new Map<string, CachedToken>();
  /** The callers of the grants that were used since the start, by id. */
  private readonly used = new Map<string, string>();
  /** Counts changes: a row that was read before a change must not be cached after it. */
  private changes = 0;

  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly grants: GrantStore,
    private readonly clients: ClientsService,
    events: EventBus,
  ) {
    events.on('clients.changed', () => this.forget());
  }

  /** Clears the cache. */
  forget(): void {
    this.changes += 1;
    this.cached.clear();
  }

  /** Returns the grants in use here: names of callers by ids of grants. */
  grantsInUse(): ReadonlyMap<string, string> {
    return this.used;
  }

  /** Returns the caller of a token; null when it is not valid at this endpoint. @param audience URL of the endpoint */
  authenticate(token: string, audience: string): Client | null | Promise<Client | null> {
    if (!TOKEN.test(token)) return null;
    const hash = hashOf(token);
    const known = this.cached.get(hash);
    return known ? this.inForce(known, audience) : this.load(hash, audience);
  }

  private async load(hash: string, audience: string): Promise<Client | null> {
    const before = this.changes;
    const found = await this.artifacts.findToken(hash, new Date());
    if (!found) return null;
    const person = this.clients.find(personName(found.person));
    const { aud } = found.payload as { aud?: unknown };
    if (!person || typeof aud !== 'string') return null;
    const program = found.proven === '' ? {} : { program: found.proven, programProven: true };
    const origin = Object.freeze({ ...UNKNOWN_ORIGIN, key: keyOfGrant(found.grantId), ...program });
    const token: CachedToken = {
      grantId: found.grantId,
      client: Object.freeze({ ...person, origin }),
      audience: aud,
      endsAtMs: found.expiresAt.getTime(),
      notedAtMs: -Infinity,
    };
    if (before === this.changes) this.remember(hash, token);
    bounded(this.used).set(token.grantId, person.name);
    return this.inForce(token, audience);
  }

  private remember(hash: string, token: CachedToken): void {
    bounded(this.cached).set(hash, token);
  }

  private inForce(token: CachedToken, audience: string): Client | null {
    const now = Date.now();
    if (token.endsAtMs <= now || token.audience !== audience) return null;
    if (now - token.notedAtMs >= NOTED_EVERY_MS) {
      token.notedAtMs = now;
      this.grants.noteUse(token.grantId, new Date(now)).catch((error: unknown) => this.logger.warn(String(error)));
    }
    return token.client;
  }
}

/** Makes room for one more entry by removing the oldest. */
function bounded<Value>(map: Map<string, Value>): Map<string, Value> {
  const [oldest] = map.keys();
  if (map.size >= MOST_CACHED && oldest !== undefined) map.delete(oldest);
  return map;
}

/** Returns the displayed id of a grant, shown where keys show their first characters. */
export const keyOfGrant = (grantId: string): string => `grant ${grantId.slice(0, 8)}`;
