import { createHmac, createPrivateKey } from 'node:crypto';
import type { ClientAuthMethod, Configuration, interactionPolicy, JWK, KoaContextWithOIDC } from 'oidc-provider';
import { SCOPE } from '../clients/oauth-addresses.service.js';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

const TOKEN_LIFETIME_S = HOUR_S;
/** A program that is unused for this long has to ask its person again. */
const REFRESH_LIFETIME_S = 30 * DAY_S;
/** After this time, every program has to ask its person again. */
export const GRANT_LIFETIME_S = 365 * DAY_S;
/** How long a person may take to sign in and to decide. */
export const SIGN_IN_LIFETIME_S = 30 * 60;
const CODE_LIFETIME_S = 60;

/** Paths of the authorization server, below its issuer. */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
  jwks: '/jwks',
};

export const METHODS: ClientAuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

/** The callbacks and values that the configuration needs from the service. */
export interface Hooks extends Pick<Configuration, 'adapter' | 'fetch' | 'findAccount' | 'renderError'> {
  /** 32 bytes that all replicas share. */
  secret: Buffer;
  resourceOf: (indicator: string) => string | null;
  unknownResource: () => Error;
  signInUrl: (ctx: KoaContextWithOIDC, id: string) => string;
  mayUseDocument: (url: string) => Promise<boolean>;
  /** Normalises the metadata of a registration, in place. */
  normalise: (ctx: KoaContextWithOIDC) => void;
  newProgramId: () => string;
}

/**
 * Returns the configuration of the authorization server: authorization code with PKCE S256 and refresh tokens only (OAuth 2.1 and
 * MCP 2026-07-28, basic/authorization).
 */
export const configurationOf = (hooks: Hooks, policy: interactionPolicy.Prompt[]): Configuration => ({
  adapter: hooks.adapter,
  fetch: hooks.fetch,
  findAccount: hooks.findAccount,
  renderError: hooks.renderError,
  scopes: [SCOPE],
  responseTypes: ['code'],
  clientAuthMethods: METHODS,
  // Browsers may call the token endpoint from anywhere: it uses no cookies.
  clientBasedCORS: () => true,
  pkce: { required: () => true },
  routes: ROUTES,
  formats: { bitsOfOpaqueRandomness: 256 },
  // Tokens are opaque, so nothing is signed; the server requires a key.
  jwks: { keys: [signingKeyOf(hooks.secret)] },
  enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
  clientDefaults: { id_token_signed_response_alg: 'EdDSA', token_endpoint_auth_method: 'none' },
  cookies: {
    keys: [hooks.secret.toString('base64url')],
    names: { session: 'agent_oauth_session', interaction: 'agent_oauth_sign_in', resume: 'agent_oauth_resume' },
  },
  interactions: { policy, url: (ctx, interaction) => hooks.signInUrl(ctx, interaction.uid) },
  // Only the new grant of this sign-in counts, never an earlier one.
  loadExistingGrant: async (ctx) => {
    const grantId = ctx.oidc.result?.consent?.grantId;
    return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
  },
  issueRefreshToken: async () => true,
  expiresWithSession: async () => false,
  rotateRefreshToken: true,
  ttl: {
    AccessToken: TOKEN_LIFETIME_S,
    AuthorizationCode: CODE_LIFETIME_S,
    Grant: GRANT_LIFETIME_S,
    Interaction: SIGN_IN_LIFETIME_S,
    RefreshToken: REFRESH_LIFETIME_S,
    Session: SIGN_IN_LIFETIME_S,
    IdToken: TOKEN_LIFETIME_S,
  },
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      // The only hook that runs before the request is validated.
      idFactory: (ctx) => {
        hooks.normalise(ctx);
        return hooks.newProgramId();
      },
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (_ctx, url) => hooks.mayUseDocument(url),
      allowClient: (_ctx, client) => hooks.mayUseDocument(client.clientId),
    },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? '',
      getResourceServerInfo: (_ctx, indicator) => {
        if (hooks.resourceOf(indicator) !== indicator) throw hooks.unknownResource();
        return { scope: SCOPE, audience: indicator, accessTokenFormat: 'opaque', accessTokenTTL: TOKEN_LIFETIME_S };
      },
    },
  },
});

/** Returns an Ed25519 key from 32 bytes (RFC 8410). */
function signingKeyOf(secret: Buffer): JWK {
  const seed = createHmac('sha256', secret).update('signing key').digest();
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
  return { ...key, use: 'sig', alg: 'EdDSA' };
}
