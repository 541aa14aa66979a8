/** What a token says, or what its issuer says about it. */
export type TokenClaims = Readonly<Record<string, unknown>>;

export interface TokenExpectations {
  issuer: string;
  audience: string;
  nowMs: number;
}

/** Tolerated clock skew, in seconds. */
export const CLOCK_SKEW_S = 60;

/** Signatures with a public key only: a shared secret would let its holders sign (RFC 8725, sections 2.1 and 3.1). */
export const ALGORITHMS = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const),
];

/** Accepted `typ` headers of an access token. RFC 9068 requires the first, but most issuers do not follow it. */
const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'jwt', 'okta-internal-at+jwt']);

/** Three parts of base64url, the first of which begins with `{"`. */
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
/** The longest accepted token; those with many groups have 7,000 characters. */
const LONGEST_TOKEN = 12_000;

/** Returns how to check a token: by its signature (`jwt`), or by asking its issuer (`opaque`); null = it cannot be a token. */
export function kindOf(token: string): 'jwt' | 'opaque' | null {
  if (token.length > LONGEST_TOKEN) return null;
  return JWT.test(token) ? 'jwt' : 'opaque';
}

const OTHER_USE = 'it is an ID token or a refresh token, and not an access token';
const BOUND = 'it is bound to a key of its program (cnf, DPoP), and only bearer tokens are taken';

/** Returns why a token of this type is not an access token; null when it is one. @param typ from the header of a JWT */
export function typeProblem(typ: unknown, claims: TokenClaims): string | null {
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : 'jwt';
  if (!TYPES.has(type)) return `its type is ${type.slice(0, 40)}, and not at+jwt`;
  const { typ: purpose = 'Bearer' } = claims; // Keycloak's claim
  if (purpose !== 'Bearer' || isForOtherUse(claims)) return OTHER_USE;
  if (claims['cnf'] !== undefined) return BOUND;
  const isIdToken = ['nonce', 'at_hash', 'c_hash'].some((claim) => Object.hasOwn(claims, claim));
  return type === 'jwt' && isIdToken && scopesOf(claims).length === 0
    ? 'it is an ID token, and not an access token'
    : null;
}

/** Returns why a token is not valid here according to its issuer's response (RFC 7662, section 2.2); null when it is. */
export function introspectionProblem(
  claims: TokenClaims,
  { issuer, audience, nowMs }: TokenExpectations,
): string | null {
  const { active } = claims;
  if (typeof active !== 'boolean') return `its issuer says active with a ${typeof active}, and not with true or false`;
  if (!active) return 'its issuer says that it is not active';
  if (claims['iss'] !== undefined && claims['iss'] !== issuer) return 'it is of another issuer';
  if (!textsIn(claims['aud']).includes(audience)) return `its audience is not ${audience}`;
  const { exp, nbf = 0, token_type: type } = claims;
  if (claims['cnf'] !== undefined || (typeof type === 'string' && type.toLowerCase() === 'dpop')) return BOUND;
  if (isForOtherUse(claims)) return OTHER_USE;
  if (typeof exp !== 'number') return 'its issuer does not say when it expires';
  const nowS = nowMs / 1_000;
  if (exp + CLOCK_SKEW_S <= nowS) return 'it has expired';
  if (typeof nbf !== 'number' || nbf - CLOCK_SKEW_S > nowS) return 'it is not valid yet';
  return null;
}

/** Returns whether the claim of Ory Hydra and Amazon Cognito says that this is no access token. */
const isForOtherUse = ({ token_use: use = 'access' }: TokenClaims): boolean =>
  use !== 'access' && use !== 'access_token';

/** Returns whether a token was issued later than now: its groups would count as newer than those of every token until then. */
export const isFromFuture = ({ iat }: TokenClaims, nowMs: number): boolean =>
  typeof iat === 'number' && iat - CLOCK_SKEW_S > nowMs / 1_000;

/** Returns the scopes of a token, from one string or a list of strings. Microsoft Entra and Okta name the claim `scp`. */
export function scopesOf(claims: TokenClaims): string[] {
  return ['scope', 'scp'].flatMap((claim) => textsIn(claims[claim])).flatMap((text) => text.split(' ').filter(Boolean));
}

/**
 * Returns the scopes that a token lacks. Clients request `api://id/name` from Microsoft Entra, but the token has only `name`; its
 * audience has the rest.
 */
export function missingScopes(needed: readonly string[], claims: TokenClaims): string[] {
  const granted = new Set(scopesOf(claims));
  return needed.filter((scope) => !granted.has(scope) && !granted.has(scope.slice(scope.lastIndexOf('/') + 1)));
}

/** Returns the id of the program that a token was issued to; null when the token does not name it. */
export function programOf(claims: TokenClaims): string | null {
  const ids = ['azp', 'client_id', 'cid', 'appid'].map((claim) => claims[claim]);
  return ids.find((id): id is string => typeof id === 'string' && /^[!-~]{1,200}$/.test(id)) ?? null;
}

/** Returns whether a token was issued to a program itself, without a person (RFC 9068, section 5). */
export const isOfProgram = (claims: TokenClaims): boolean =>
  claims['idtyp'] === 'app' || (claims['sub'] !== undefined && claims['sub'] === programOf(claims));

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => typeof one === 'string');
