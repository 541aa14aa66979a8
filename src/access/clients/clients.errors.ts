import { AppError } from '../../platform/errors/app-error.js';
import { CLIENT_NAME_RULE, MAX_CLIENTS, MAX_GROUPS, MAX_KEYS, RESERVED_CLIENTS } from './client.js';

export class SessionNotFound extends AppError {
  constructor(id: string) {
    super('not_found', 'sessions.session_not_found', `there is no session ${JSON.stringify(id)}: it may have ended`);
  }
}

export class ClientNotFound extends AppError {
  constructor(name: string) {
    super(
      'not_found',
      'clients.client_not_found',
      `there is no client ${JSON.stringify(name.slice(0, 100))}: it may have been deleted`,
    );
  }
}

export class ClientKeyNotFound extends AppError {
  constructor(client: string, id: string) {
    const key = JSON.stringify(id.slice(0, 100));
    super('not_found', 'clients.key_not_found', `the client ${client} has no key ${key}: it may have ended`);
  }
}

export class ClientExists extends AppError {
  constructor(name: string) {
    const message = 'is the name of another client: choose another name, or rotate the key of that client';
    super('conflict', 'clients.client_exists', `${name} ${message}`, { fields: [{ path: 'name', message }] });
  }
}

export class ClientReserved extends AppError {
  constructor(name: string) {
    const reserved = RESERVED_CLIENTS.join(', ');
    super(
      'conflict',
      'clients.client_reserved',
      `${name} cannot be made, changed or deleted: ${reserved} always exist. The key of default is the setting mcp.api_key`,
      { fields: [{ path: 'name', message: `must not be one of ${reserved}` }] },
    );
  }
}

export class InvalidClient extends AppError {
  constructor(path: string, message: string) {
    super('invalid', 'clients.invalid_client', `${path} ${message}`, { fields: [{ path, message }] });
  }
}

export const GROUPS_PROBLEM = `must be at most ${MAX_GROUPS} different names, each of which ${CLIENT_NAME_RULE}`;

export class TooManyClients extends AppError {
  constructor() {
    super('conflict', 'clients.too_many', `there are ${MAX_CLIENTS} clients already: delete those not used any more`);
  }
}

export class TooManyKeys extends AppError {
  constructor(name: string) {
    super(
      'conflict',
      'clients.too_many_keys',
      `the client ${name} has ${MAX_KEYS} valid keys already, the old and the new one of a rotation: revoke one of them first`,
    );
  }
}
