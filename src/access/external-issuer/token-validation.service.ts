import { Injectable, Logger } from '@nestjs/common';
import type * as Jose from 'jose';
import { SettingsService } from '../../platform/config/settings.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { StoredProvider } from '../single-sign-on/login-provider.js';
import { ProviderClient } from '../single-sign-on/provider-client.service.js';
import { LoginProviders } from '../single-sign-on/login-providers.service.js';
import { LoginRefused } from '../single-sign-on/single-sign-on.errors.js';
import { IssuerUnavailable, ScopeMissing, TokenRefused } from './external-issuer.errors.js';
import { SigningKeys } from './signing-keys.js';
import {
  ALGORITHMS,
  CLOCK_SKEW_S,
  introspectionProblem,
  isFromFuture,
  isOfProgram,
  kindOf,
  missingScopes,
  type TokenClaims,
  typeProblem,
} from './token-claims.rules.js';

/** Concurrent requests to the issuer about tokens: strangers can send any number. */
const MOST_ASKED = 32;
const WARN_EVERY_MS = 60_000;

export interface ValidToken {
  provider: StoredProvider;
  claims: TokenClaims;
  endsAtMs: number;
  /** True when its issuer has to be asked about it, and may revoke it at any time. */
  isAsked: boolean;
}

/** Checks the access tokens of the issuer that `oauth.issuer` names: by signature (RFC 9068), or by asking it (RFC 7662). */
@Injectable()
export class TokenValidation {
  private keys: { of: string; keys: SigningKeys } | null = null;
  private asked = 0;
  private readonly logger = new Logger(TokenValidation.name);
  private warnedAtMs = -Infinity;

  constructor(
    private readonly settings: SettingsService,
    private readonly providers: LoginProviders,
    private readonly client: ProviderClient,
  ) {}

  /** @param audience the audience that the token must have @throws TokenRefused, ScopeMissing, IssuerUnavailable */
  async validate(token: string, audience: string): Promise<ValidToken> {
    const kind = kindOf(token);
    if (kind === null) throw new TokenRefused('it is too long');
    const provider = await this.provider();
    try {
      const claims =
        kind === 'jwt'
          ? await this.verified(token, provider, audience)
          : await this.inquired(token, provider, audience);
      if (isFromFuture(claims, Date.now()))
        throw new TokenRefused('it is from the future: the clock of its issuer is ahead, or ours is behind');
      if (isOfProgram(claims))
        throw new TokenRefused('it is of a program, with no person behind it: programs use a key');
      const missing = missingScopes(this.settings.get('oauth.scopes'), claims);
      if (missing.length > 0) throw new ScopeMissing(missing);
      return {
        provider,
        claims,
        endsAtMs: Number(claims['exp']) * 1_000 + CLOCK_SKEW_S * 1_000,
        isAsked: kind === 'opaque',
      };
    } catch (error) {
      throw refusalOf(error, provider.issuer);
    }
  }

  /** Forgets the keys of the issuer, so that they are read again. */
  forgetKeys(): void {
    this.keys = null;
  }

  private async provider(): Promise<StoredProvider> {
    const issuer = this.settings.get('oauth.issuer');
    const provider = await this.providers.enabledAt(issuer);
    if (provider) return provider;
    throw new IssuerUnavailable(issuer, 'no provider on the page Single sign-on has this issuer and is on', 60);
  }

  private async verified(token: string, provider: StoredProvider, audience: string): Promise<TokenClaims> {
    const jose = await import('jose');
    const expected = { issuer: provider.issuer, audience, algorithms: [...ALGORITHMS], clockTolerance: CLOCK_SKEW_S };
    const keys = this.keysOf(jose, provider);
    const options = { ...expected, requiredClaims: ['exp'] };
    const { payload, protectedHeader } = await jose.jwtVerify(token, keys.find, options).catch((error: unknown) => {
      if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
      return verifiedByOneOf(jose, token, error, options);
    });
    const problem = typeProblem(protectedHeader.typ, payload);
    if (problem !== null) throw new TokenRefused(problem);
    return payload;
  }

  private async inquired(token: string, provider: StoredProvider, audience: string): Promise<TokenClaims> {
    if (this.asked >= MOST_ASKED)
      throw new IssuerUnavailable(provider.issuer, 'too many tokens are being checked at once', 1);
    this.asked += 1;
    try {
      const claims = await this.client.introspect(provider, token);
      if (claims === null) throw new TokenRefused('it is no JWT, and its issuer answers no questions about others');
      const problem = introspectionProblem(claims, { issuer: provider.issuer, audience, nowMs: Date.now() });
      if (typeof claims['active'] !== 'boolean') this.warn(provider.issuer, problem);
      if (problem !== null) throw new TokenRefused(problem);
      return { ...claims, iss: provider.issuer };
    } finally {
      this.asked -= 1;
    }
  }

  /** Logs it at most once a minute: it may be true of every token. */
  private warn(issuer: string, problem: string | null): void {
    if (performance.now() - this.warnedAtMs < WARN_EVERY_MS) return;
    this.warnedAtMs = performance.now();
    this.logger.warn(`a token of ${issuer} is refused: ${problem} (RFC 7662, section 2.2)`);
  }

  private keysOf(jose: typeof Jose, provider: StoredProvider): SigningKeys {
    if (this.keys?.of !== provider.issuer)
      this.keys = {
        of: provider.issuer,
        keys: new SigningKeys(jose, provider.issuer, () => this.client.keysOf(provider)),
      };
    return this.keys.keys;
  }
}

/** Tries all keys of an issuer whose tokens do not name the key. */
async function verifiedByOneOf(
  jose: typeof Jose,
  token: string,
  keys: Jose.errors.JWKSMultipleMatchingKeys,
  options: Jose.JWTVerifyOptions,
): Promise<Jose.JWTVerifyResult> {
  for await (const key of keys) {
    try {
      return await jose.jwtVerify(token, key, options);
    } catch (error) {
      if (!(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new TokenRefused('its signature is not of its issuer');
}

/** Maps a failure to an error about the token, or about its issuer. */
function refusalOf(error: unknown, issuer: string): AppError {
  if (error instanceof LoginRefused || !(error instanceof Error)) return new IssuerUnavailable(issuer, error);
  if (error instanceof AppError) return error;
  // Codes of the library about the token: ERR_JWT_EXPIRED, ERR_JWS_SIGNATURE_VERIFICATION_FAILED and so on. Any other is about a
  // key.
  const isAboutToken = 'code' in error && /^ERR_(JW[TS]|JWKS|JOSE)_/.test(String(error.code));
  return isAboutToken ? new TokenRefused(error.message) : new IssuerUnavailable(issuer, error);
}
