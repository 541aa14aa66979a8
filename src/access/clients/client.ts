/** Names of clients and of groups. Names of clients stand in paths. */
export const CLIENT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** The same in words. */
export const CLIENT_NAME_RULE =
  'must be a name such as build-server: lower-case letters, digits, dots, dashes and underscores, the first a letter or a digit, 64 at most';
/** Whoever has the address of the skill packages, which takes no key. */
export const ANONYMOUS = { name: 'anonymous', groups: [] } as const;
/** Clients that exist without being made: of `mcp.api_key`, of the administration, of the service itself, and without a key. */
export const RESERVED_CLIENTS = ['default', 'admin', 'service', ANONYMOUS.name] as const;

export const MAX_CLIENTS = 1_000;
export const MAX_GROUPS = 32;
export const MAX_NOTE = 1_000;
/** How many keys of a client are valid at a time: during a rotation, the old and the new one. */
export const MAX_KEYS = 2;
export const MAX_OVERLAP_HOURS = 30 * 24;

/** A key as it may be shown: enough to recognise it, nothing that helps to use it. */
export interface ClientKey {
  id: string;
  /** Its first characters. */
  shown: string;
  createdAt: Date;
  expiresAt: Date | null; // null = not before its client
}

export interface StoredKey extends ClientKey {
  hash: string;
}

/** What one client may do at most; null = the setting for every client. */
export interface ClientLimits {
  requestsPerMinute: number | null;
  calls: number | null;
  streams: number | null;
  sessions: number | null;
}

export const NO_LIMITS: ClientLimits = Object.freeze({
  requestsPerMinute: null,
  calls: null,
  streams: null,
  sessions: null,
});

/** What an administrator decides about a client. */
export interface ClientDetails {
  note: string;
  groups: readonly string[];
  limits: ClientLimits;
  expiresAt: Date | null; // null = never
}

/** What somebody decides anew; what is left out stays as it is. */
export interface ClientChange {
  note?: string | undefined;
  groups?: readonly string[] | undefined;
  limits?: Partial<ClientLimits> | undefined;
  expiresAt?: Date | null | undefined;
}

/** A client with keys of its own. */
export interface NamedClient extends ClientDetails {
  name: string;
  createdAt: Date;
  keys: readonly StoredKey[];
}

/** Returns what is decided about a client when a change is applied to what was decided before. */
export function changed(former: ClientDetails, { note, groups, limits, expiresAt }: ClientChange): ClientDetails {
  return {
    note: note ?? former.note,
    groups: groups ?? former.groups,
    limits: toLimits(former.limits, limits),
    expiresAt: expiresAt === undefined ? former.expiresAt : expiresAt,
  };
}

// Each by its name: what else a body holds, such as a member called toString, is not stored.
function toLimits(former: ClientLimits, given: Partial<ClientLimits> = {}): ClientLimits {
  const { requestsPerMinute = former.requestsPerMinute, calls = former.calls } = given;
  const { streams = former.streams, sessions = former.sessions } = given;
  return { requestsPerMinute, calls, streams, sessions };
}

/** Returns when a key stops to be valid; null = never. */
export function endOf(client: Pick<NamedClient, 'expiresAt'>, key: Pick<ClientKey, 'expiresAt'>): Date | null {
  if (client.expiresAt === null || key.expiresAt === null) return client.expiresAt ?? key.expiresAt;
  return client.expiresAt < key.expiresAt ? client.expiresAt : key.expiresAt;
}
