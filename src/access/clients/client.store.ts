import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ClientKeyTable, ClientTable } from '../../platform/database/access-tables.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';
import { hasEffect } from '../../platform/sql/affected-rows.js';
import {
  type ClientDetails,
  type ClientLimits,
  MAX_CLIENTS,
  MAX_KEYS,
  type NamedClient,
  type StoredKey,
} from './client.js';
import { type Person, personName } from './person.js';

type Transaction = Pick<Database, 'selectFrom' | 'insertInto' | 'deleteFrom' | 'updateTable' | 'getExecutor'>;

/** Reads and writes clients and their keys. Changes that depend on the existing rows are serialised across replicas. */
@Injectable()
export class ClientStore {
  constructor(private readonly database: Database) {}

  /** Returns all clients with their keys, ordered by name and age. */
  async list(): Promise<NamedClient[]> {
    const rows = await this.database
      .selectFrom('clients')
      // In one statement, so that no client is seen without its first key.
      .leftJoin('client_keys as key', 'key.client', 'clients.name')
      .selectAll('clients')
      .select([
        'key.id',
        'key.hash',
        'key.shown',
        'key.created_at as key_created_at',
        'key.expires_at as key_expires_at',
      ])
      .orderBy('key.created_at')
      // Of two keys made in the same millisecond, the newer one has no expiry.
      .orderBy('key.expires_at', (order) => order.asc().nullsLast())
      .orderBy('key.id')
      .execute();
    return [...Map.groupBy(rows, ({ name }) => name).values()]
      .flatMap((ofClient) => (ofClient[0] ? [toClient(ofClient[0], ofClient.flatMap(toKeys))] : []))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the people who may call: those whose accounts are not disabled. */
  async listPeople(): Promise<Person[]> {
    const rows = await this.database
      .selectFrom('administrators')
      .select(['name', 'groups', 'created_at'])
      .where('disabled', '=', 0)
      .orderBy('name')
      .execute();
    return rows.map(({ name, groups, created_at }) => ({
      name: personName(name),
      groups: JSON.parse(groups) as string[],
      createdAt: new Date(created_at),
    }));
  }

  /** Adds a client. `taken`: the name is in use; `full`: the limit is reached. */
  async create(client: NamedClient): Promise<'created' | 'taken' | 'full'> {
    return this.inTurn(async (transaction) => {
      const names = await transaction.selectFrom('clients').select('name').execute();
      if (names.some(({ name }) => name === client.name)) return 'taken';
      if (names.length >= MAX_CLIENTS) return 'full';
      await transaction.insertInto('clients').values(toRow(client)).execute();
      for (const key of client.keys) await insertKey(transaction, client.name, key);
      // Uses of a previous client of this name do not belong to this one.
      await transaction.deleteFrom('client_uses').where('client', '=', client.name).execute();
      return 'created';
    });
  }

  /**
   * Changes the details of a client; returns whether it exists.
   * @param decide gets the current details and returns the new ones
   */
  async update(name: string, decide: (former: ClientDetails) => ClientDetails): Promise<boolean> {
    return this.inTurn(async (transaction) => {
      const row = await transaction.selectFrom('clients').selectAll().where('name', '=', name).executeTakeFirst();
      if (!row) return false;
      const details = detailColumns(decide(toDetails(row)));
      await transaction.updateTable('clients').set(details).where('name', '=', name).execute();
      return true;
    });
  }

  /** Deletes a client and its keys. Returns whether it existed. */
  async delete(name: string): Promise<boolean> {
    return this.inTurn(async (transaction) => {
      await transaction.deleteFrom('client_keys').where('client', '=', name).execute();
      await transaction.deleteFrom('client_uses').where('client', '=', name).execute();
      return hasEffect(transaction.deleteFrom('clients').where('name', '=', name));
    });
  }

  /**
   * Adds a key to a client; its previous key ends at `formerEndsAt`, or sooner if an earlier end is already set. `full`: it has
   * the maximum number of valid keys.
   */
  async addKey(name: string, key: StoredKey, formerEndsAt: Date): Promise<'added' | 'unknown' | 'full'> {
    return this.inTurn(async (transaction) => {
      const client = await transaction.selectFrom('clients').select('name').where('name', '=', name).executeTakeFirst();
      if (!client) return 'unknown';
      const now = key.createdAt.toISOString();
      await transaction.deleteFrom('client_keys').where('client', '=', name).where('expires_at', '<=', now).execute();
      const former = await transaction.selectFrom('client_keys').selectAll().where('client', '=', name).execute();
      if (former.length >= MAX_KEYS) return 'full';
      for (const { id, expires_at } of former) {
        const endsAt = formerEndsAt.toISOString();
        await transaction
          .updateTable('client_keys')
          .set({ expires_at: expires_at !== null && expires_at < endsAt ? expires_at : endsAt })
          .where('id', '=', id)
          .execute();
      }
      await insertKey(transaction, name, key);
      return 'added';
    });
  }

  /** Returns whether the client had such a key. */
  async deleteKey(name: string, id: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('client_keys').where('client', '=', name).where('id', '=', id));
  }

  private inTurn<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, 'clients');
      return work(transaction);
    });
  }
}

async function insertKey(transaction: Transaction, client: string, key: StoredKey): Promise<void> {
  const row: ClientKeyTable = {
    id: key.id,
    client,
    hash: key.hash,
    shown: key.shown,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
  await transaction.insertInto('client_keys').values(row).execute();
}

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

const toDetails = (row: ClientTable): ClientDetails => ({
  note: row.note,
  groups: JSON.parse(row.groups) as string[],
  limits: JSON.parse(row.limits) as ClientLimits,
  expiresAt: dateOrNull(row.expires_at),
});

function toClient(row: ClientTable, keys: StoredKey[]): NamedClient {
  return { name: row.name, ...toDetails(row), createdAt: new Date(row.created_at), keys };
}

/** A row of the join; its key is null when the client has none. */
interface KeyColumns {
  id: string | null;
  hash: string | null;
  shown: string | null;
  key_created_at: string | null;
  key_expires_at: string | null;
}

function toKeys({ id, hash, shown, key_created_at, key_expires_at }: KeyColumns): StoredKey[] {
  if (id === null || hash === null || shown === null || key_created_at === null) return [];
  return [{ id, hash, shown, createdAt: new Date(key_created_at), expiresAt: dateOrNull(key_expires_at) }];
}

const detailColumns = ({
  note,
  groups,
  limits,
  expiresAt,
}: ClientDetails): Omit<ClientTable, 'name' | 'created_at'> => ({
  note,
  groups: JSON.stringify(groups),
  limits: JSON.stringify(limits),
  expires_at: expiresAt?.toISOString() ?? null,
});

const toRow = (client: NamedClient): ClientTable => ({
  name: client.name,
  ...detailColumns(client),
  created_at: client.createdAt.toISOString(),
});
