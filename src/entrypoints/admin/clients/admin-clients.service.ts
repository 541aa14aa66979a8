import { Injectable } from '@nestjs/common';
import {
  changed,
  type ClientChange,
  type ClientDetails,
  type ClientKey,
  type NamedClient,
  NO_LIMITS,
} from '../../../access/clients/client.js';
import { ClientRegistry, type ClientWithKey } from '../../../access/clients/client-registry.service.js';
import { ClientUses } from '../../../access/clients/connected-clients.service.js';
import { ClientsService } from '../../../access/clients/clients.service.js';
import { SettingsService } from '../../../platform/config/settings.service.js';
import type { ClientBody, ClientKeyShown, ClientView, NewClientBody } from './clients.schema.js';

const DEFAULT = 'default';
const PLAIN: ClientDetails = { note: '', groups: [], limits: NO_LIMITS, expiresAt: null };

type LastUse = Pick<ClientView, 'lastUsedAt' | 'lastAddress' | 'lastProgram'>;

/** Serves the clients to administrators: those with their own keys, and the client of `mcp.api_key`. */
@Injectable()
export class AdminClients {
  constructor(
    private readonly registry: ClientRegistry,
    private readonly clients: ClientsService,
    private readonly uses: ClientUses,
    private readonly settings: SettingsService,
  ) {}

  /** Returns all clients, `default` first and the others by name. */
  async list(): Promise<ClientView[]> {
    const lastUse = await this.lastUses();
    return [
      this.defaultView(lastUse(DEFAULT)),
      ...this.clients.list().map((one) => this.viewOf(one, lastUse(one.name))),
    ];
  }

  /** @throws ClientNotFound */
  async get(name: string): Promise<ClientView> {
    const lastUse = await this.lastUses();
    if (name === DEFAULT) return this.defaultView(lastUse(name));
    return this.viewOf(this.registry.get(name), lastUse(name));
  }

  /** @throws InvalidClient, ClientReserved, ClientExists, TooManyClients */
  async create({ name, ...body }: NewClientBody): Promise<ClientKeyShown> {
    return this.shown(await this.registry.create(name, changed(PLAIN, toChange(body))));
  }

  /** @throws InvalidClient, ClientReserved, ClientNotFound */
  async update(name: string, body: ClientBody): Promise<ClientView> {
    await this.registry.update(name, toChange(body));
    return this.get(name);
  }

  /** @throws InvalidClient, ClientReserved, ClientNotFound, TooManyKeys */
  async rotate(name: string, overlapHours: number): Promise<ClientKeyShown> {
    return this.shown(await this.registry.rotate(name, overlapHours));
  }

  /** @throws ClientReserved, ClientNotFound, ClientKeyNotFound */
  async revokeKey(name: string, id: string): Promise<ClientView> {
    await this.registry.revokeKey(name, id);
    return this.get(name);
  }

  private async shown({ client, key }: ClientWithKey): Promise<ClientKeyShown> {
    return { ...(await this.get(client.name)), key };
  }

  private async lastUses(): Promise<(name: string) => LastUse> {
    const uses = await this.uses.list();
    return (name) => {
      const { at = null, address = null, program = null } = uses.get(name) ?? {};
      return { lastUsedAt: at, lastAddress: address, lastProgram: program };
    };
  }

  private viewOf({ keys, ...client }: NamedClient, lastUse: LastUse): ClientView {
    return {
      ...client,
      ...lastUse,
      isDefault: false,
      hasValidKey: this.clients.find(client.name) !== null,
      keys: keys.filter(hasNotEnded).map(({ hash: _hash, ...key }) => key),
    };
  }

  private defaultView(lastUse: LastUse): ClientView {
    const hasValidKey = this.settings.isSet('mcp.api_key');
    return { ...PLAIN, ...lastUse, name: DEFAULT, isDefault: true, hasValidKey, keys: [], createdAt: null };
  }
}

const hasNotEnded = ({ expiresAt }: ClientKey): boolean => expiresAt === null || new Date() < expiresAt;

const toChange = ({ note, groups, limits, expiresAt }: ClientBody): ClientChange => ({
  note,
  groups,
  limits,
  expiresAt,
});
