import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { SettingsService } from '../config/settings.service.js';
import { EventBus } from '../events/event-bus.service.js';

const BEARER = /^bearer +([!-~]+) *$/i;

// One object for every request of the client.
const DEFAULT_CLIENT: Client = Object.freeze({ name: 'default', groups: Object.freeze([]) });

/** Recognises clients by the keys that they present. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly settings: SettingsService,
    events: EventBus,
  ) {
    events.on('setting.changed', ({ key }) => {
      if (key === 'mcp.api_key') events.emit('client.revoked', { client: DEFAULT_CLIENT.name });
    });
  }

  /** Returns the owner of the key in an `Authorization` header; null when the key is missing or wrong. */
  authenticate(authorization: string | undefined): Client | null {
    const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    if (key === undefined) return null;
    return this.settings.matchesSecret('mcp.api_key', key) ? DEFAULT_CLIENT : null;
  }

  /** Returns whether a key is set, without which nobody can call. */
  isConfigured(): boolean {
    return this.settings.isSet('mcp.api_key');
  }

  /** Returns every client that may have a key. */
  all(): readonly Client[] {
    return [DEFAULT_CLIENT];
  }

  count(): number {
    return this.isConfigured() ? 1 : 0;
  }
}
