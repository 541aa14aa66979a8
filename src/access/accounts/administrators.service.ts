import { Injectable } from '@nestjs/common';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { generatePassword, newStamp } from './admin-password.service.js';
import { AdminSessions } from './admin-sessions.service.js';
import {
  type AccountDetails,
  type Administrator,
  type AdministratorAccount,
  ADMINISTRATOR_NAME,
  type AdminRole,
  type AdminSession,
  BUILT_IN,
  MAX_ACCOUNTS,
} from './administrator.js';
import { AdministratorStore } from './administrator.store.js';
import {
  AccountChanged,
  AdministratorExists,
  AdministratorNotFound,
  AdminSessionNotFound,
  BuiltInAdministrator,
  PasswordFixed,
  PasswordRefused,
  TooManyAdministrators,
} from './administrators.errors.js';
import { hashPassword } from './password-hash.rules.js';
import { passwordProblem } from './password.rules.js';
import { PasswordQueue } from './password-queue.service.js';

/** The accounts of people and scripts, and their sessions. Taking rights from an account ends its sessions on every replica. */
@Injectable()
export class Administrators {
  constructor(
    private readonly store: AdministratorStore,
    private readonly sessions: AdminSessions,
    private readonly queue: PasswordQueue,
    private readonly events: EventBus,
  ) {}

  list(): Promise<Administrator[]> {
    return this.store.list();
  }

  /** @throws AdministratorNotFound */
  async get(name: string): Promise<AdministratorAccount> {
    const account = await this.find(name);
    if (!account) throw new AdministratorNotFound(name);
    return account;
  }

  async find(name: string): Promise<AdministratorAccount | undefined> {
    return ADMINISTRATOR_NAME.test(name) ? this.store.find(name) : undefined;
  }

  /**
   * Adds an account, and returns the password if it was generated.
   * @throws PasswordRefused, AdministratorExists, TooManyAdministrators, LoginsBusy
   */
  async create(name: string, role: AdminRole, typed: string | null): Promise<string | null> {
    const { passwordHash, generated } = await this.newPassword(name, typed);
    const password = { passwordHash, stamp: newStamp(), at: new Date() };
    const outcome = await this.store.add(name, role, password, MAX_ACCOUNTS);
    if (outcome === 'full') throw new TooManyAdministrators(MAX_ACCOUNTS);
    if (outcome === 'taken') throw new AdministratorExists(name);
    this.events.emit('accounts.changed', { names: [name] });
    return generated;
  }

  /** Records a login without a password. */
  async noteLogin({ name, stamp }: AdministratorAccount, at: Date): Promise<void> {
    await this.store.noteLogin(name, stamp, at);
  }

  /**
   * Changes the given details of an account. Its sessions end when its role changes or it is disabled.
   * @throws AdministratorNotFound, BuiltInAdministrator, AccountChanged
   */
  async update(name: string, change: Partial<AccountDetails>): Promise<void> {
    const account = await this.get(name);
    const { role = account.role, groups = account.groups, disabled = account.disabled } = change;
    const endsSessions = role !== account.role || disabled !== account.disabled;
    if (!endsSessions && isSameList(groups, account.groups)) return;
    if (endsSessions && name === BUILT_IN) throw new BuiltInAdministrator(name);
    const stamp = endsSessions ? newStamp() : account.stamp;
    if (!(await this.store.setDetails(account, change, stamp))) throw new AccountChanged(name);
    this.events.emit('accounts.changed', { names: [name] });
  }

  /**
   * Replaces the password of an account as it was read, ends its sessions, and returns the password if it was generated.
   * @throws PasswordFixed, PasswordRefused, AccountChanged, LoginsBusy
   */
  async setPassword(
    { name, stamp, hasFixedPassword }: AdministratorAccount,
    typed: string | null,
  ): Promise<string | null> {
    if (hasFixedPassword) throw new PasswordFixed(name);
    const { passwordHash, generated } = await this.newPassword(name, typed);
    const isSet = await this.store.setPassword(name, stamp, { passwordHash, stamp: newStamp(), at: new Date() });
    if (!isSet) throw new AccountChanged(name);
    return generated;
  }

  /** @throws AdministratorNotFound, BuiltInAdministrator */
  async remove(name: string): Promise<void> {
    await this.get(name);
    if (name === BUILT_IN) throw new BuiltInAdministrator(name);
    if (!(await this.store.delete(name))) throw new AdministratorNotFound(name);
    this.events.emit('accounts.changed', { names: [name] });
  }

  /** @throws AdministratorNotFound */
  async listSessions(name: string): Promise<AdminSession[]> {
    await this.get(name);
    return this.sessions.list(name, new Date());
  }

  /** Ends all sessions, including those of logins in progress. @throws AdministratorNotFound */
  async endSessions(name: string): Promise<void> {
    await this.get(name);
    if (!(await this.store.setStamp(name, newStamp()))) throw new AdministratorNotFound(name);
  }

  /** @throws AdministratorNotFound, AdminSessionNotFound */
  async endSession(name: string, id: string): Promise<void> {
    await this.get(name);
    if (!(await this.sessions.end(name, id))) throw new AdminSessionNotFound();
  }

  private async newPassword(name: string, typed: string | null) {
    const problem = typed === null ? null : passwordProblem(typed, name);
    if (problem !== null) throw new PasswordRefused(problem);
    const password = typed ?? generatePassword();
    // Hashing costs as much as a check, so it takes its turn in the queue, too.
    const passwordHash = await this.queue.withPlace('known', (inTurn) => inTurn(() => hashPassword(password)));
    return { passwordHash, generated: typed === null ? password : null };
  }
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);
