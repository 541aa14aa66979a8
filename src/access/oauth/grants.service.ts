import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import type { Page } from '../../platform/paging/page-cursor.js';
import { personName } from '../clients/person.js';
import { SessionStore } from '../clients/session.store.js';
import { AccessTokens, keyOfGrant } from './access-tokens.service.js';
import { type Grant, type GrantsRequest, GrantStore, type NewGrant } from './grant.store.js';
import { GrantNotFound } from './oauth.errors.js';

/** The grants that people have given to programs, in effect on every replica. */
@Injectable()
export class Grants implements OnModuleInit {
  constructor(
    private readonly store: GrantStore,
    private readonly tokens: AccessTokens,
    private readonly sessions: SessionStore,
    private readonly events: EventBus,
    private readonly replicas: ReplicaChannel,
  ) {}

  onModuleInit(): void {
    this.replicas.on('grants', async (detail) => {
      // While the database is unavailable, cached grants stay valid.
      const ended = detail === null ? await this.listMissed() : (JSON.parse(detail) as Ended[]);
      this.tokens.forget();
      this.revoke(ended);
    });
  }

  /** Stores a new grant, and ends the grants beyond the limit. */
  async add(grant: NewGrant): Promise<void> {
    await this.ended(await this.store.add(grant));
  }

  /** Returns the grants in force of a person, latest first: a hundred at most. */
  listOwn(person: string): Promise<Grant[]> {
    return this.store.list({ person }, new Date());
  }

  /** Returns one page of the grants in force, latest first. */
  listPage(request: GrantsRequest): Promise<Page<Grant>> {
    return this.store.listPage(request, new Date());
  }

  /** @throws GrantNotFound */
  async get(id: string): Promise<Grant> {
    const [grant] = await this.store.list({ id }, new Date());
    if (!grant) throw new GrantNotFound(id);
    return grant;
  }

  /** Returns the authorization server's payload of a grant in force. */
  payloadOf(id: string): Promise<object | undefined> {
    return this.store.payloadOf(id, new Date());
  }

  /** Ends a grant, and everything that was opened with it. @param person the required owner @throws GrantNotFound */
  async end(id: string, person?: string): Promise<Grant> {
    const [grant] = await this.store.delete({ id, person });
    if (!grant) throw new GrantNotFound(id);
    await this.ended([grant]);
    return grant;
  }

  /** Ends a grant if it exists: its tokens were misused, or its program revoked it. */
  async endIfAny(id: string): Promise<void> {
    await this.ended(await this.store.delete({ id }));
  }

  /** Notifies every replica that a token was revoked. */
  async tokenEnded(): Promise<void> {
    this.tokens.forget();
    await this.replicas.notify('grants', '[]');
  }

  /** Ends all grants of a person, or of a program; returns their number. */
  async endAll(of: { person: string } | { program: string }): Promise<number> {
    const grants = await this.store.delete(of);
    await this.ended(grants);
    return grants.length;
  }

  /** Ends the grants that have expired, and those that were created before `madeBefore` and have no valid token. */
  async endExpired(now: Date, madeBefore: Date): Promise<void> {
    await this.ended(await this.store.deleteEnded(now, madeBefore));
  }

  private async ended(grants: readonly Grant[]): Promise<void> {
    if (grants.length === 0) return;
    this.tokens.forget();
    const ended = grants.map(({ id, person }) => ({ client: personName(person), key: keyOfGrant(id) }));
    this.revoke(ended);
    for (let start = 0; start < ended.length; start += MOST_PER_MESSAGE)
      await this.replicas.notify('grants', JSON.stringify(ended.slice(start, start + MOST_PER_MESSAGE)));
    for (const { client, key } of ended) await this.sessions.deleteOf(client, key);
  }

  /** Returns the grants in use here that have ended without a notification to this replica. */
  private async listMissed(): Promise<Ended[]> {
    // Copied before the query: its result lacks grants that are added and used meanwhile.
    const used = [...this.tokens.grantsInUse()];
    if (used.length === 0) return [];
    const ids = used.map(([id]) => id);
    const inForce = new Set(await this.store.listInForce(ids, new Date()));
    return used.filter(([id]) => !inForce.has(id)).map(([id, client]) => ({ client, key: keyOfGrant(id) }));
  }

  private revoke(ended: readonly Ended[]): void {
    for (const one of ended) this.events.emit('client.revoked', one);
  }
}

interface Ended {
  client: string;
  key: string;
}

/** Grants per message to other replicas, which PostgreSQL limits to 8,000 bytes. */
const MOST_PER_MESSAGE = 50;
