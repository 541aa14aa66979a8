/** Programs that have registered, or that an administrator has added. */
export interface OAuthProgramTable {
  id: string; // the client_id
  metadata: string; // JSON, RFC 7591; includes the hash of its secret
  is_listed: number; // 1 = added by an administrator
  created_at: string;
  used_at: string | null; // when somebody last granted it access; null = never
}

/** The access that a person has granted a program. */
export interface OAuthGrantTable {
  id: string;
  person: string; // name of the account
  program: string; // the client_id
  name: string; // the program's own name
  host: string; // host of the redirect URI
  proven: string; // the host that has proven the program's identity; empty = none
  payload: string; // JSON, as stored by the authorization server
  created_at: string;
  used_at: string | null;
  expires_at: string;
}

/** Codes, tokens and pending sign-ins. */
export interface OAuthArtifactTable {
  kind: string; // AccessToken, RefreshToken, AuthorizationCode, ...
  id_hash: string; // SHA-256 of the presented value, base64url
  grant_id: string | null;
  payload: string; // JSON, as stored by the authorization server, without the id
  created_at: string;
  consumed_at: string | null;
  expires_at: string;
}
