/** Names of clients and groups. Names of clients are parts of paths. */
export const CLIENT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** The same in words. */
export const CLIENT_NAME_RULE =
  'must be a name such as build-server: lower-case letters, digits, dots, dashes and underscores, the first a letter or a digit, 64 at most';
/** The client for requests with the address of the skill packages, which need no key. */
export const ANONYMOUS = { name: 'anonymous', groups: [] } as const;
/** Built-in clients: of `mcp.api_key`, of the administration, of the service itself, and of requests without a key. */
export const RESERVED_CLIENTS = ['default', 'admin', 'service', ANONYMOUS.name] as const;

export const MAX_CLIENTS = 1_000;
export const MAX_GROUPS = 32;
export const MAX_NOTE = 1_000;
/** Valid keys of a client at a time: during a rotation, the old and the new one. */
export const MAX_KEYS = 2;
export const MAX_OVERLAP_HOURS = 30 * 24;

/** The displayed data of a key: enough to recognise it, not to use it. */
export interface ClientKey {
  id: string;
  /** Its first characters. */
  shown: string;
  createdAt: Date;
  expiresAt: Date | null; // null = ends with its client
}

export interface StoredKey extends ClientKey {
  hash: string;
}

/** The limits of one client; null = the global setting. */
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

export interface ClientDetails {
  note: string;
  groups: readonly string[];
  limits: ClientLimits;
  expiresAt: Date | null; // null = never
}

/** A change of the details; omitted members stay unchanged. */
export interface ClientChange {
  note?: string | undefined;
  groups?: readonly string[] | undefined;
  limits?: Partial<ClientLimits> | undefined;
  expiresAt?: Date | null | undefined;
}

export interface NamedClient extends ClientDetails {
  name: string;
  createdAt: Date;
  keys: readonly StoredKey[];
}

export function changed(former: ClientDetails, { note, groups, limits, expiresAt }: ClientChange): ClientDetails {
  return {
    note: note ?? former.note,
    groups: groups ?? former.groups,
    limits: toLimits(former.limits, limits),
    expiresAt: expiresAt === undefined ? former.expiresAt : expiresAt,
  };
}

// Copy each limit by name: any other members of the body, such as one called toString, must not be stored.
function toLimits(former: ClientLimits, given: Partial<ClientLimits> = {}): ClientLimits {
  const { requestsPerMinute = former.requestsPerMinute, calls = former.calls } = given;
  const { streams = former.streams, sessions = former.sessions } = given;
  return { requestsPerMinute, calls, streams, sessions };
}

/** Returns when a key stops being valid; null = never. */
export function endOf(client: Pick<NamedClient, 'expiresAt'>, key: Pick<ClientKey, 'expiresAt'>): Date | null {
  if (client.expiresAt === null || key.expiresAt === null) return client.expiresAt ?? key.expiresAt;
  return client.expiresAt < key.expiresAt ? client.expiresAt : key.expiresAt;
}
