import { Injectable } from '@nestjs/common';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { personName } from '../clients/person.js';
import { hashOf } from '../oauth/artifact.store.js';
import { LoginAccounts } from '../single-sign-on/login-accounts.service.js';
import { LoginRefused } from '../single-sign-on/single-sign-on.errors.js';
import { TokenRefused } from './external-issuer.errors.js';
import { programOf, type TokenClaims } from './token-claims.rules.js';
import { TokenValidation, type ValidToken } from './token-validation.service.js';

interface CachedToken {
  client: Client;
  endsAtMs: number;
  /** When it is checked again (`performance.now`): the clock may be set back. */
  trustedUntilMs: number;
}

const MOST_CACHED = 10_000;
/** How long a verified signature is trusted. Short, so that a key that the issuer withdraws soon stops working. */
const TRUSTED_MS = 5 * 60_000;
/** How long the answer of an issuer is trusted: it may revoke a token at any time. */
const ASKED_AGAIN_MS = 30_000;

/** Authenticates people by access tokens that another authorization server has issued to their programs. */
@Injectable()
export class ExternalTokens {
  /** By hash of token and audience, like `validating`. */
  private readonly cached = new Map<string, CachedToken>();
  /** Checks in progress, shared by all requests that wait for them. */
  private readonly validating = new Map<string, Promise<Client>>();
  /** Counts changes: the result of a check that began before a change must not be cached after it. */
  private changes = 0;

  constructor(
    private readonly validation: TokenValidation,
    private readonly accounts: LoginAccounts,
    private readonly clients: ClientsService,
    events: EventBus,
  ) {
    events.on('clients.changed', () => this.forget());
    events.on('providers.changed', () => {
      validation.forgetKeys();
      this.forget();
    });
    events.on('setting.changed', ({ key }) => key.startsWith('oauth.') && this.forget());
  }

  /**
   * Returns the owner of a token. @param audience the audience that it must have
   * @throws TokenRefused, ScopeMissing, IssuerUnavailable, AccountChanged
   */
  authenticate(token: string, audience: string): Client | Promise<Client> {
    const id = hashOf(`${audience} ${token}`);
    const known = this.cached.get(id);
    if (known && known.trustedUntilMs > performance.now() && known.endsAtMs > Date.now()) return known.client;
    const validating = this.validating.get(id);
    if (validating) return validating;
    const started = this.validate(token, id, audience).finally(() => {
      if (this.validating.get(id) === started) this.validating.delete(id);
    });
    this.validating.set(id, started);
    return started;
  }

  private forget(): void {
    this.changes += 1;
    this.cached.clear();
    this.validating.clear();
  }

  private async validate(token: string, id: string, audience: string): Promise<Client> {
    const before = this.changes;
    const valid = await this.validation.validate(token, audience);
    const person = await this.personOf(valid);
    const client = Object.freeze({ ...person, origin: originOf(valid.claims) });
    const trustedUntilMs = performance.now() + (valid.isAsked ? ASKED_AGAIN_MS : TRUSTED_MS);
    if (before === this.changes) this.remember(id, { client, endsAtMs: valid.endsAtMs, trustedUntilMs });
    return client;
  }

  private async personOf({ provider, claims }: ValidToken): Promise<Client> {
    try {
      const { iss, sub } = claims;
      const account = await this.accounts.callerOf(
        provider,
        { ...claims, iss: String(iss), sub: typeof sub === 'string' ? sub : '' },
        new Date(),
      );
      const name = personName(account);
      // A new account is not known yet.
      if (!this.clients.find(name)) await this.clients.changed();
      const person = this.clients.find(name);
      if (person) return person;
      throw new TokenRefused(`the account ${account} may not call`);
    } catch (error) {
      throw error instanceof LoginRefused ? new TokenRefused(error.message) : error;
    }
  }

  private remember(id: string, token: CachedToken): void {
    const [oldest] = this.cached.keys();
    if (this.cached.size >= MOST_CACHED && oldest !== undefined) this.cached.delete(oldest);
    this.cached.set(id, token);
  }
}

/** The issuer vouches for the program that it has issued a token to. */
function originOf(claims: TokenClaims): NonNullable<Client['origin']> {
  const program = programOf(claims);
  const key = `token of ${URL.parse(String(claims['iss']))?.host ?? 'an issuer'}`;
  return Object.freeze({ ...UNKNOWN_ORIGIN, key, ...(program !== null && { program, programProven: true }) });
}
