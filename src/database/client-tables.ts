export interface ClientTable {
  name: string;
  note: string;
  groups: string; // JSON
  limits: string; // JSON
  expires_at: string | null; // null = never
  created_at: string;
}

export interface ClientKeyTable {
  id: string;
  client: string;
  hash: string; // SHA-256, base64url
  shown: string; // the first characters of the key
  created_at: string;
  expires_at: string | null; // null = not before the client
}

/** When, from where and with what program clients called last. */
export interface ClientUseTable {
  client: string;
  used_at: string;
  address: string | null;
  program: string;
}

export interface McpSessionTable {
  id: string;
  client: string;
  client_key: string | null; // what is shown of the key; null = mcp.api_key
  protocol_version: string;
  client_name: string | null;
  client_version: string | null;
  initialize: string; // JSON
  log_level: string | null;
  subscriptions: string; // JSON
  event_seq: number;
  created_at: string;
  last_seen_at: string;
}
