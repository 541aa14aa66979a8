import { Injectable } from '@nestjs/common';
import { BUILT_IN } from '../accounts/administrator.js';
import { Administrators } from '../accounts/administrators.service.js';
import { type AccountIdentity, AccountIdentityStore } from './account-identity.store.js';
import { LoginProviders } from './login-providers.service.js';
import { MAX_IDENTITIES } from './login-provider.js';
import { AccountIdentityNotFound, BuiltInNotLinked, LastIdentity, TooManyIdentities } from './single-sign-on.errors.js';

@Injectable()
export class AccountIdentities {
  constructor(
    private readonly store: AccountIdentityStore,
    private readonly administrators: Administrators,
    private readonly providers: LoginProviders,
  ) {}

  /** @throws AdministratorNotFound */
  async list(account: string): Promise<AccountIdentity[]> {
    await this.administrators.get(account);
    return this.store.list(account);
  }

  /** @throws BuiltInNotLinked, TooManyIdentities */
  async assertMayLink(account: string): Promise<void> {
    if (account === BUILT_IN) throw new BuiltInNotLinked(account);
    if ((await this.list(account)).length >= MAX_IDENTITIES) throw new TooManyIdentities();
  }

  /**
   * Removes a link. Open sessions of the person continue; tokens of the provider are no longer accepted. @throws
   * AccountIdentityNotFound
   */
  async remove(account: string, id: string): Promise<void> {
    if (!(await this.store.unlink(account, id))) throw new AccountIdentityNotFound();
    await this.providers.changed();
  }

  /** Removes a link of the caller's own account, if another way to log in remains. @throws AccountIdentityNotFound, LastIdentity */
  async removeOwn(account: string, id: string): Promise<void> {
    const { hasPassword } = await this.administrators.get(account);
    const identities = await this.list(account);
    if (!hasPassword && identities.length === 1 && identities[0]?.id === id) throw new LastIdentity();
    await this.remove(account, id);
  }
}
