import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isLoopbackHost } from '#mcp-http';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SEALED_COLUMNS } from '../../platform/secrets/sealed-columns.store.js';
import { SealingKeys } from '../../platform/secrets/sealing-keys.service.js';
import { DEFAULT_SCOPES, type ProviderDetails, type LoginProvider, type StoredProvider } from './login-provider.js';
import { LoginProviderStore } from './login-provider.store.js';
import {
  LoginProviderExists,
  LoginProviderNotFound,
  LoginProviderRefused,
  LoginRefused,
  TooManyLoginProviders,
} from './single-sign-on.errors.js';

const { purposeOf } = SEALED_COLUMNS.loginProviders;

/** A change of a provider; omitted members stay unchanged. A `secret` of null is deleted. */
export interface ProviderChange extends Partial<ProviderDetails> {
  secret?: string | null;
}

export type NewProvider = ProviderChange & Pick<ProviderDetails, 'title' | 'issuer' | 'clientId'>;

const PLAIN: Omit<ProviderDetails, 'title' | 'issuer' | 'clientId'> = {
  scopes: DEFAULT_SCOPES,
  personClaim: 'sub',
  groupsClaim: null,
  rules: [],
  makesAccounts: true,
  defaultRole: 'member',
  enabled: true,
};

/** Manages the providers at which people log in. A secret is sealed together with its issuer, and is sent to no other. */
@Injectable()
export class LoginProviders implements OnModuleInit {
  constructor(
    private readonly store: LoginProviderStore,
    private readonly sealing: SealingKeys,
    private readonly events: EventBus,
    private readonly replicas: ReplicaChannel,
  ) {}

  onModuleInit(): void {
    this.replicas.on('providers', async () => this.events.emit('providers.changed', {}));
  }

  /** Returns all providers without their secrets, ordered by name. */
  async list(): Promise<LoginProvider[]> {
    return (await this.store.list()).map(withoutSecret);
  }

  /** @throws LoginProviderNotFound */
  async get(name: string): Promise<LoginProvider> {
    return withoutSecret(await this.stored(name));
  }

  /** @throws LoginProviderRefused, LoginProviderExists, TooManyLoginProviders */
  async create(name: string, { secret = null, ...given }: NewProvider, now = new Date()): Promise<void> {
    const details = { ...PLAIN, ...withoutUndefined(given) };
    assertUsable(details);
    const sealed = secret === null ? null : await this.sealed(name, details.issuer, secret);
    const outcome = await this.store.add(name, details, sealed, now);
    if (outcome === 'full') throw new TooManyLoginProviders();
    if (outcome === 'taken') throw new LoginProviderExists(name);
    await this.changed();
  }

  /** @throws LoginProviderNotFound, LoginProviderRefused */
  async update(name: string, { secret, ...given }: ProviderChange): Promise<void> {
    const former = await this.stored(name);
    const change = withoutUndefined(given);
    const details = { ...former, ...change };
    assertUsable(details);
    if (secret === undefined && former.hasSecret && details.issuer !== former.issuer) {
      const message = 'must be entered again: the one that is stored was given for another issuer';
      throw new LoginProviderRefused({ path: 'secret', message });
    }
    const sealed = secret
      ? await this.sealed(name, details.issuer, secret)
      : secret === null
        ? null
        : former.sealedSecret;
    // A concurrent change has replaced its issuer or secret, or removed it.
    if (!(await this.store.update(former, change, sealed))) {
      return this.update(name, { ...change, ...(secret !== undefined && { secret }) });
    }
    await this.changed();
  }

  /** @throws LoginProviderNotFound */
  async remove(name: string): Promise<void> {
    if (!(await this.store.delete(name))) throw new LoginProviderNotFound(name);
    await this.changed();
  }

  /** Returns a provider at which people may log in now. @throws LoginRefused */
  async enabled(name: string): Promise<StoredProvider> {
    const provider = await this.store.find(name);
    if (!provider?.enabled) throw new LoginRefused('unknown_provider', `no login provider ${name} is enabled`);
    return provider;
  }

  /** Returns the provider of an issuer, if people may log in there now. */
  async enabledAt(issuer: string): Promise<StoredProvider | undefined> {
    return (await this.store.list()).find((provider) => provider.issuer === issuer && provider.enabled);
  }

  /** Returns the secret of the service at a provider; null when it has none. @throws LoginRefused */
  async secretOf({ name, issuer, sealedSecret }: StoredProvider): Promise<string | null> {
    if (sealedSecret === null) return null;
    const opened = await this.sealing.open({ sealed: sealedSecret }, purposeOf(name));
    const [sealedFor, secret] = opened === null ? [] : (JSON.parse(opened.text) as [string, string]);
    if (secret === undefined || sealedFor !== issuer)
      throw new LoginRefused('misconfigured', `the secret of the provider ${name} cannot be used: enter it again`);
    return secret;
  }

  /** Notifies every replica that providers, or the people they know, have changed. */
  async changed(): Promise<void> {
    this.events.emit('providers.changed', {});
    await this.replicas.notify('providers');
  }

  private async stored(name: string): Promise<StoredProvider> {
    const provider = await this.store.find(name);
    if (!provider) throw new LoginProviderNotFound(name);
    return provider;
  }

  private async sealed(name: string, issuer: string, secret: string): Promise<string> {
    return (await this.sealing.seal(JSON.stringify([issuer, secret]), purposeOf(name))).sealed;
  }
}

/** @throws LoginProviderRefused */
function assertUsable({ issuer, scopes }: ProviderDetails): void {
  const url = URL.parse(issuer);
  const isSecure = url?.protocol === 'https:' || (url !== null && isLoopbackHost(url.hostname));
  if (!url || !isSecure || url.username || url.password) {
    const message = 'must be a URL that begins with https://, without a user name';
    throw new LoginProviderRefused({ path: 'issuer', message });
  }
  if (!scopes.includes('openid'))
    throw new LoginProviderRefused({ path: 'scopes', message: 'must include openid, or nobody can be logged in' });
}

function withoutSecret({ sealedSecret: _sealed, ...provider }: StoredProvider): LoginProvider {
  return provider;
}

/** Leaves out undefined members, which request bodies contain. */
const withoutUndefined = <Given extends object>(given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
