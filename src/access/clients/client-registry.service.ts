import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  CLIENT_NAME,
  CLIENT_NAME_RULE,
  changed,
  type ClientChange,
  type ClientDetails,
  MAX_GROUPS,
  MAX_NOTE,
  MAX_OVERLAP_HOURS,
  type NamedClient,
  RESERVED_CLIENTS,
  type StoredKey,
} from './client.js';
import { hashOfKey, KEY_BYTES, shownPartOf, toClientKey } from './client-key.rules.js';
import { ClientStore } from './client.store.js';
import {
  ClientExists,
  ClientKeyNotFound,
  ClientNotFound,
  ClientReserved,
  GROUPS_PROBLEM,
  InvalidClient,
  TooManyClients,
  TooManyKeys,
} from './clients.errors.js';
import { ClientsService } from './clients.service.js';

const HOUR_MS = 3_600_000;
const LATEST = new Date('3000-01-01T00:00:00Z');

/** A client and its new key. The key is not shown again. */
export interface ClientWithKey {
  client: NamedClient;
  key: string;
}

/** Creates and changes clients and their keys. An acknowledged change is in effect on this replica. */
@Injectable()
export class ClientRegistry {
  constructor(
    private readonly store: ClientStore,
    private readonly clients: ClientsService,
  ) {}

  /** @throws ClientNotFound */
  get(name: string): NamedClient {
    const client = this.clients.list().find((one) => one.name === name);
    if (!client) throw new ClientNotFound(name);
    return client;
  }

  /** @throws InvalidClient, ClientReserved, ClientExists, TooManyClients */
  async create(name: string, details: ClientDetails, now = new Date()): Promise<ClientWithKey> {
    if (!CLIENT_NAME.test(name)) throw new InvalidClient('name', CLIENT_NAME_RULE);
    assertNotReserved(name);
    assertValid(details, now);
    const { key, stored } = newKey(now);
    const outcome = await this.store.create({ name, ...picked(details), createdAt: now, keys: [stored] });
    if (outcome === 'taken') throw new ClientExists(name);
    if (outcome === 'full') throw new TooManyClients();
    await this.clients.changed();
    return { client: this.get(name), key };
  }

  /** @throws InvalidClient, ClientReserved, ClientNotFound */
  async update(name: string, change: ClientChange, now = new Date()): Promise<NamedClient> {
    assertNotReserved(name);
    // Apply the change to the stored row: this replica may not know the latest change yet.
    const isThere = await this.store.update(name, (former) => {
      const details = changed(former, change);
      assertValid(details, now);
      return details;
    });
    if (!isThere) throw new ClientNotFound(name);
    await this.clients.changed();
    return this.get(name);
  }

  /** Deletes a client; its sessions end. @throws ClientReserved, ClientNotFound */
  async remove(name: string): Promise<void> {
    assertNotReserved(name);
    if (!(await this.store.delete(name))) throw new ClientNotFound(name);
    await this.clients.changed();
  }

  /**
   * Makes a new key for a client; its previous one ends after `overlapHours`, or immediately if they are 0.
   * @throws InvalidClient, ClientReserved, ClientNotFound, TooManyKeys
   */
  async rotate(name: string, overlapHours: number, now = new Date()): Promise<ClientWithKey> {
    assertNotReserved(name);
    if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS) {
      throw new InvalidClient('overlapHours', `must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`);
    }
    const { key, stored } = newKey(now);
    const outcome = await this.store.addKey(name, stored, new Date(now.getTime() + overlapHours * HOUR_MS));
    if (outcome === 'unknown') throw new ClientNotFound(name);
    if (outcome === 'full') throw new TooManyKeys(name);
    await this.clients.changed();
    return { client: this.get(name), key };
  }

  /** Ends one key of a client, and the sessions that were opened with it. @throws ClientReserved, ClientNotFound, ClientKeyNotFound */
  async revokeKey(name: string, id: string): Promise<void> {
    assertNotReserved(name);
    if (!(await this.store.deleteKey(name, id))) {
      this.get(name);
      throw new ClientKeyNotFound(name, id);
    }
    await this.clients.changed();
  }
}

function newKey(now: Date): { key: string; stored: StoredKey } {
  const key = toClientKey(randomBytes(KEY_BYTES));
  const stored = { id: randomUUID(), hash: hashOfKey(key), shown: shownPartOf(key), createdAt: now, expiresAt: null };
  return { key, stored };
}

const picked = ({ note, groups, limits, expiresAt }: ClientDetails): ClientDetails => ({
  note,
  groups,
  limits,
  expiresAt,
});

function assertNotReserved(name: string): void {
  if (RESERVED_CLIENTS.some((reserved) => reserved === name)) throw new ClientReserved(name);
}

function assertValid({ note, groups, expiresAt }: ClientDetails, now: Date): void {
  if (note.length > MAX_NOTE) throw new InvalidClient('note', `must have at most ${MAX_NOTE} characters`);
  const areNames = groups.length <= MAX_GROUPS && groups.every((group) => CLIENT_NAME.test(group));
  if (!areNames || new Set(groups).size < groups.length) throw new InvalidClient('groups', GROUPS_PROBLEM);
  if (expiresAt !== null && !(now < expiresAt && expiresAt < LATEST)) {
    throw new InvalidClient('expiresAt', 'must be a time in the future, before the year 3000');
  }
}
