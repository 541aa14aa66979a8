import { Injectable } from '@nestjs/common';
import type * as OpenIdClient from 'openid-client';
import { isObject } from '#bounded-json';
import { isLoopbackHost } from '#mcp-http';
import { AppError } from '../../platform/errors/app-error.js';
import { OutgoingHttp } from '../../platform/outgoing-http/outgoing-http.service.js';
import type { LoginProvider, StoredProvider } from './login-provider.js';
import { LoginProviders } from './login-providers.service.js';
import { type DiscoveryFindings, findingsOf, lacksClaims } from './login.rules.js';
import { LoginRefused } from './single-sign-on.errors.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 512 * 1024;
const MAX_CLOCK_SKEW_S = 60;
/** How long the document of a provider is cached, so that strangers who start logins do not cause a request each time. */
const CACHED_MS = 10_000;

/** The secrets of a login attempt, needed when the provider answers (RFC 7636; OpenID Connect Core 1.0, section 3.1.2.1). */
export interface AttemptSecrets {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

export interface LoginClaims extends Readonly<Record<string, unknown>> {
  iss: string;
  sub: string;
}

type Metadata = OpenIdClient.ServerMetadata;

/** Speaks OpenID Connect with the providers, through the guarded client for outgoing requests. */
@Injectable()
export class ProviderClient {
  private readonly documents = new Map<string, { until: number; metadata: Promise<Metadata> }>();

  constructor(
    private readonly providers: LoginProviders,
    private readonly http: OutgoingHttp,
  ) {}

  /** Returns the secrets of a new attempt, and the URL to which the browser goes. @throws LoginRefused */
  async begin(provider: StoredProvider, redirectUri: string): Promise<{ url: URL; secrets: AttemptSecrets }> {
    const library = await openIdClient();
    const config = await this.configuration(library, provider, null);
    const secrets = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
      redirectUri,
    };
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url, secrets };
  }

  /**
   * Validates the answer of the provider and returns its claims about the person. Checked are state, iss, nonce, and signature,
   * issuer, audience and times of the ID token.
   * @param search the query of the answer, `?code=...`
   * @throws LoginRefused
   */
  async finish(provider: StoredProvider, secrets: AttemptSecrets, search: string): Promise<LoginClaims> {
    const library = await openIdClient();
    // New for each login, so that it reads the keys of the provider again: they may have been rotated.
    const config = await this.configuration(library, provider, await this.providers.secretOf(provider));
    const answer = new URL(secrets.redirectUri);
    answer.search = search;
    try {
      const tokens = await library.authorizationCodeGrant(config, answer, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new LoginRefused('refused', 'the provider sent no ID token');
      if (claims.iat > Date.now() / 1_000 + MAX_CLOCK_SKEW_S)
        throw new LoginRefused(
          'refused',
          'the ID token is from the future: the clock of the provider is ahead, or ours is behind',
        );
      if (!lacksClaims(claims, provider) || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      return { ...(await library.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
    } catch (error) {
      throw refusalOf(library, error);
    }
  }

  /**
   * Returns the URL at which a browser ends its session at a provider (OpenID Connect RP-Initiated Logout 1.0, section 2); null
   * when the provider announces none.
   * @param back URL to which the provider sends the browser afterwards
   * @throws LoginRefused, Error
   */
  async endOfSession(provider: StoredProvider, back: string): Promise<URL | null> {
    const library = await openIdClient();
    const config = await this.configuration(library, provider, null);
    if (config.serverMetadata().end_session_endpoint === undefined) return null;
    return library.buildEndSessionUrl(config, { post_logout_redirect_uri: back });
  }

  /** Checks the discovery document of a provider, and returns its problems. */
  async test({ issuer }: LoginProvider, signal: AbortSignal): Promise<DiscoveryFindings> {
    try {
      const document = await this.read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal);
      const findings = findingsOf(document, issuer);
      const { jwks_uri: keys } = document as { jwks_uri?: unknown };
      if (findings.problems.length === 0 && typeof keys === 'string') await this.read(keys, signal);
      return findings;
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof SyntaxError ? 'the answer is not JSON' : (error as Error).message;
      return { problems: [`The provider cannot be used: ${reason}`], warnings: [] };
    }
  }

  /** Returns the document with the public keys of a provider (RFC 7517, section 5). @throws LoginRefused */
  async keysOf(provider: StoredProvider): Promise<unknown> {
    const library = await openIdClient();
    const { jwks_uri: url } = await this.metadata(library, provider);
    if (url === undefined || (!url.startsWith('https:') && !isPlain(provider.issuer)))
      throw new LoginRefused('misconfigured', 'the provider announces no jwks_uri that begins with https://');
    try {
      return await this.read(url);
    } catch (error) {
      throw refusalOf(library, error);
    }
  }

  /**
   * Returns a provider's introspection response for a token (RFC 7662); null when it offers no introspection. Its member `active`
   * may be any value.
   * @throws LoginRefused
   */
  async introspect(provider: StoredProvider, token: string): Promise<Readonly<Record<string, unknown>> | null> {
    const library = await openIdClient();
    const { introspection_endpoint: url } = await this.metadata(library, provider);
    const secret = await this.providers.secretOf(provider);
    if (url === undefined || secret === null) return null;
    const config = await this.configuration(library, provider, secret);
    try {
      return await library.tokenIntrospection(config, token);
    } catch (error) {
      const unclear = causesOf(error).map(unclearResponse).find(Boolean);
      if (unclear) return unclear;
      throw refusalOf(library, error);
    }
  }

  private async read(url: string, signal = new AbortController().signal): Promise<unknown> {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    // Like a login: a redirect could lead away from https.
    const { status, body } = await this.http.fetch(url, { signal, ...limits, followsRedirects: false });
    if (status !== 200) throw new Error(`${url} answers with status ${status}`);
    return JSON.parse(body.toString()) as unknown;
  }

  private async configuration(
    library: typeof OpenIdClient,
    provider: StoredProvider,
    secret: string | null,
  ): Promise<OpenIdClient.Configuration> {
    const metadata = await this.metadata(library, provider);
    const options = { [library.clockTolerance]: MAX_CLOCK_SKEW_S };
    const config = new library.Configuration(metadata, provider.clientId, options, toAuth(library, metadata, secret));
    this.guard(library, config, provider);
    library.enableNonRepudiationChecks(config);
    return config;
  }

  private guard(library: typeof OpenIdClient, config: OpenIdClient.Configuration, { issuer }: StoredProvider): void {
    config[library.customFetch] = this.fetch;
    config.timeout = TIMEOUT_MS / 1_000;
    if (isPlain(issuer)) library.allowInsecureRequests(config);
  }

  /** Returns the discovery document of a provider. @throws LoginRefused */
  private async metadata(library: typeof OpenIdClient, provider: StoredProvider): Promise<Metadata> {
    const { issuer, clientId } = provider;
    const cached = this.documents.get(issuer);
    if (cached && cached.until > Date.now()) return cached.metadata;
    const metadata = library
      .discovery(new URL(issuer), clientId, undefined, library.None(), {
        [library.customFetch]: this.fetch,
        timeout: TIMEOUT_MS / 1_000,
        execute: isPlain(issuer) ? [library.allowInsecureRequests] : [],
      })
      .then(
        (config) => config.serverMetadata(),
        (error: unknown) => {
          throw refusalOf(library, error);
        },
      );
    this.documents.set(issuer, { until: Date.now() + CACHED_MS, metadata });
    for (const [known, { until }] of this.documents) if (until <= Date.now()) this.documents.delete(known);
    return metadata;
  }

  private readonly fetch: OpenIdClient.CustomFetch = async (url, { method, headers, body, signal }) => {
    const response = await this.http.fetch(url, {
      method,
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      signal: signal ?? new AbortController().signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      followsRedirects: false,
    });
    const isEmpty = [204, 205, 304].includes(response.status);
    const type = response.headers['content-type'];
    return new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  };
}

let loaded: Promise<typeof OpenIdClient> | undefined;

/** Loads the library at the first login: most services have no provider. */
const openIdClient = (): Promise<typeof OpenIdClient> => (loaded ??= import('openid-client'));

const isPlain = (issuer: string): boolean => issuer.startsWith('http:') && isLoopbackHost(new URL(issuer).hostname);

/** Authenticates the service by the method that the provider announces; by default by HTTP Basic, which all must support. */
function toAuth(library: typeof OpenIdClient, metadata: Metadata, secret: string | null): OpenIdClient.ClientAuth {
  if (secret === null) return library.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const usesBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
  return usesBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
}

/** Maps an error of the library or the connection to the reason of a failed login. */
function refusalOf(library: typeof OpenIdClient, error: unknown): unknown {
  if (error instanceof LoginRefused) return error;
  const causes = causesOf(error);
  const message = causes
    .map((one) => (one instanceof Error ? one.message : ''))
    .filter(Boolean)
    .join(': ');
  if (error instanceof library.AuthorizationResponseError)
    return new LoginRefused(error.error === 'access_denied' ? 'denied' : 'failed', `the provider says ${error.error}`);
  if (error instanceof library.ResponseBodyError) {
    const isOurs = ['invalid_client', 'unauthorized_client'].includes(error.error);
    return new LoginRefused(isOurs ? 'misconfigured' : 'failed', `the provider says ${error.error}`);
  }
  const isDown = causes.some(
    (one) => one instanceof AppError || isTimeout(one) || (one instanceof Response && one.status >= 500),
  );
  return new LoginRefused(isDown ? 'unreachable' : 'refused', message || 'the answer of the provider is not valid');
}

/** Returns the response that the library refuses because `active` is neither true nor false; null for another cause. */
function unclearResponse(cause: unknown): Readonly<Record<string, unknown>> | null {
  const { body } = Object(cause) as { body?: unknown };
  return isObject(body) && 'active' in body ? body : null;
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

function causesOf(error: unknown, depth = 5): unknown[] {
  if (depth === 0 || typeof error !== 'object' || error === null) return [];
  return [error, ...('cause' in error ? causesOf(error.cause, depth - 1) : [])];
}
