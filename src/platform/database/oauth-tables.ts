/** Programs that have registered, or that an administrator has entered. */
export interface OAuthProgramTable {
  id: string; // the client_id
  metadata: string; // JSON, RFC 7591; with the hash of its secret
  is_listed: number; // whether an administrator has entered it
  created_at: string;
  used_at: string | null; // when somebody has allowed it for the last time; null = nobody has
}

/** What a person has allowed a program. */
export interface OAuthGrantTable {
  id: string;
  person: string; // name of the account
  program: string; // the client_id
  name: string; // what the program calls itself
  host: string; // where the person was sent back to
  proven: string; // the host that has shown who the program is; empty = nothing has
  payload: string; // JSON, as the authorization server keeps it
  created_at: string;
  used_at: string | null;
  expires_at: string;
}

/** Codes, tokens and sign-ins that are going on. */
export interface OAuthArtifactTable {
  kind: string; // AccessToken, RefreshToken, AuthorizationCode, ...
  id_hash: string; // SHA-256 of what its owner presents, base64url
  grant_id: string | null;
  payload: string; // JSON, as the authorization server keeps it, without the id
  created_at: string;
  consumed_at: string | null;
  expires_at: string;
}
