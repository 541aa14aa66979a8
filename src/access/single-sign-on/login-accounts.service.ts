import { Injectable } from '@nestjs/common';
import { isStorable } from '#bounded-json';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { newStamp } from '../accounts/admin-password.service.js';
import { type AccountDetails, type AdministratorAccount, MAX_ACCOUNTS } from '../accounts/administrator.js';
import { Administrators } from '../accounts/administrators.service.js';
import { TooManyAdministrators } from '../accounts/administrators.errors.js';
import { AccountIdentityStore, type Identity } from './account-identity.store.js';
import type { LoginClaims } from './provider-client.service.js';
import type { LinkIntent } from './login-attempts.service.js';
import type { LoginProvider } from './login-provider.js';
import { accountNames, claimOf, grantsOf, groupsIn, leavesOutGroups } from './login.rules.js';
import { LoginRefused } from './single-sign-on.errors.js';

const LONGEST_SUBJECT = 255; // OpenID Connect Core 1.0, section 2

/**
 * Finds, makes and updates the accounts of people who log in at a provider. A person is identified only by issuer and subject, or
 * by the claim that replaces the subject.
 */
@Injectable()
export class LoginAccounts {
  constructor(
    private readonly identities: AccountIdentityStore,
    private readonly administrators: Administrators,
    private readonly events: EventBus,
  ) {}

  /** Returns the account of a person, updated by the rules of the provider. @throws LoginRefused, AccountChanged */
  async accountOf(provider: LoginProvider, claims: LoginClaims, now: Date): Promise<AdministratorAccount> {
    const identity = identityOf(provider, claims);
    const name = await this.enabledAccount(provider, identity, claims, now);
    await this.administrators.update(name, grantsIn(provider, claims));
    await this.identities.noteClaims(identity, now);
    const updated = await this.administrators.get(name);
    await this.administrators.noteLogin(updated, now);
    return updated;
  }

  /**
   * Returns the account of a person whom a token names. The groups of the newest token apply; a token sets the role only of a new
   * account.
   * @throws LoginRefused
   */
  async callerOf(provider: LoginProvider, claims: LoginClaims, now: Date): Promise<string> {
    const identity = identityOf(provider, claims);
    const name = await this.enabledAccount(provider, identity, claims, now);
    const hasGroups = provider.groupsClaim !== null && claimOf(claims, provider.groupsClaim) !== undefined;
    const { groups } = hasGroups ? grantsIn(provider, claims) : {};
    const { iat } = claims;
    if (groups === undefined || typeof iat !== 'number') return name;
    if (await this.identities.followGroups(identity, groups, new Date(iat * 1_000)))
      this.events.emit('accounts.changed', { names: [name] });
    return name;
  }

  private async enabledAccount(
    provider: LoginProvider,
    identity: Identity,
    claims: LoginClaims,
    now: Date,
  ): Promise<string> {
    const name = (await this.identities.findAccount(identity)) ?? (await this.make(provider, identity, claims, now));
    const { disabled } = await this.administrators.get(name);
    if (disabled) throw new LoginRefused('account_disabled', `the account ${name} is disabled`, name);
    return name;
  }

  /** Links an account to a person, if the session in which its owner started this is still open. @throws LoginRefused */
  async link(
    provider: LoginProvider,
    { account, session }: LinkIntent,
    claims: LoginClaims,
    now: Date,
  ): Promise<AdministratorAccount> {
    const known = await this.administrators.find(account);
    const sessions = known ? await this.administrators.listSessions(account) : [];
    if (!known || !sessions.some(({ id }) => id === session))
      throw new LoginRefused('expired', `the session in which ${account} began to link it has ended`, account);
    const identity = identityOf(provider, claims);
    if (!(await this.identities.link(identity, account, now)))
      throw new LoginRefused('linked_elsewhere', `${identity.subject} belongs to another account`, account);
    return known;
  }

  private async make(
    { name: provider, makesAccounts, defaultRole, ...rules }: LoginProvider,
    identity: Identity,
    claims: LoginClaims,
    at: Date,
  ): Promise<string> {
    if (!makesAccounts)
      throw new LoginRefused('no_account', `${identity.subject} of ${provider} has no account, and none is made`);
    const { role = defaultRole, groups = [] } = grantsIn({ defaultRole, ...rules }, claims);
    // A name that is taken belongs to somebody else, regardless of what the provider calls this person.
    for (const name of accountNames(claims)) {
      const account = { name, role, groups, stamp: newStamp(), at };
      const outcome = await this.identities.addAccount(identity, account, MAX_ACCOUNTS);
      if (outcome === 'full')
        throw new LoginRefused('too_many_accounts', new TooManyAdministrators(MAX_ACCOUNTS).message);
      if (outcome === 'taken') continue;
      this.events.emit('accounts.changed', { names: [name] });
      return (await this.identities.findAccount(identity)) ?? name;
    }
    throw new LoginRefused('failed', `no name is free for ${identity.subject} of ${provider}`);
  }
}

/** @throws LoginRefused */
function identityOf({ personClaim }: LoginProvider, claims: LoginClaims): Identity {
  const subject = claimOf(claims, personClaim);
  if (typeof subject !== 'string' || subject === '')
    throw new LoginRefused('refused', `the claim ${personClaim} does not say who the person is`);
  if (subject.length > LONGEST_SUBJECT) throw new LoginRefused('refused', `the claim ${personClaim} is too long`);
  // SQLite would store U+FFFD for each lone surrogate, and people whose subjects differ would share an account.
  if (!isStorable(subject))
    throw new LoginRefused('refused', `the claim ${personClaim} has characters that cannot be stored`);
  if (personClaim === 'email' && claims['email_verified'] !== true)
    throw new LoginRefused('refused', 'the provider has not verified the e-mail address of the person');
  return { issuer: claims.iss, subject };
}

/** Returns the role and groups that the rules of a provider give to a person. @throws LoginRefused */
function grantsIn(
  { groupsClaim, rules, defaultRole }: Pick<LoginProvider, 'groupsClaim' | 'rules' | 'defaultRole'>,
  claims: LoginClaims,
): Partial<Pick<AccountDetails, 'role' | 'groups'>> {
  if (groupsClaim === null || rules.length === 0) return {};
  if (leavesOutGroups(claims, groupsClaim))
    throw new LoginRefused('groups_missing', `the provider left out the claim ${groupsClaim}: it has too many groups`);
  const { role, groups } = grantsOf({ rules, defaultRole }, groupsIn(claimOf(claims, groupsClaim)));
  return { ...(role !== null && { role }), ...(groups !== null && { groups }) };
}
