import type { AccountDetails, AdminRole } from '../../src/access/accounts/administrator.js';

interface Account {
  role: AdminRole;
  groups: readonly string[];
  disabled: boolean;
  password: string;
}

interface Session {
  token: string;
  user: string;
}

/** Predicts the state of accounts and sessions after any operations, without a database and without hashes. */
export class AccountModel {
  private readonly accounts = new Map<string, Account>([]);
  private sessions: Session[] = [];

  constructor(password: string) {
    this.accounts.set('admin', { role: 'admin', groups: [], disabled: false, password });
  }

  create(name: string, role: AdminRole, password: string): boolean {
    if (this.accounts.has(name)) return false;
    this.accounts.set(name, { role, groups: [], disabled: false, password });
    return true;
  }

  remove(name: string): boolean {
    this.endSessions(name);
    return this.accounts.delete(name);
  }

  update(name: string, change: Partial<AccountDetails>): boolean {
    const account = this.accounts.get(name);
    if (!account) return false;
    const { role = account.role, disabled = account.disabled } = change;
    const endsSessions = role !== account.role || disabled !== account.disabled;
    if (endsSessions && name === 'admin') return false;
    if (endsSessions) this.endSessions(name);
    Object.assign(account, change);
    return true;
  }

  detailsOf(name: string): AccountDetails | undefined {
    const account = this.accounts.get(name);
    return account && { role: account.role, groups: account.groups, disabled: account.disabled };
  }

  setPassword(name: string, password: string): boolean {
    const account = this.accounts.get(name);
    if (!account) return false;
    this.endSessions(name);
    account.password = password;
    return true;
  }

  endSessions(name: string): boolean {
    this.sessions = this.sessions.filter(({ user }) => user !== name);
    return this.accounts.has(name);
  }

  passwordOf(name: string): string | undefined {
    return this.accounts.get(name)?.password;
  }

  /** Returns the role for a name and password; null = rejected. */
  check(name: string, password: string): AdminRole | null {
    const account = this.accounts.get(name);
    return account?.password === password && !account.disabled ? account.role : null;
  }

  open(user: string, token: string): void {
    this.sessions.push({ token, user });
  }

  close(token: string): void {
    this.sessions = this.sessions.filter((session) => session.token !== token);
  }

  /** Returns the owner of a session token; null = invalid. */
  use(token: string): { user: string; role: AdminRole } | null {
    const user = this.sessions.find((session) => session.token === token)?.user;
    const role = user === undefined ? undefined : this.accounts.get(user)?.role;
    return user === undefined || role === undefined ? null : { user, role };
  }

  sessionsOf(name: string): number {
    return this.sessions.filter(({ user }) => user === name).length;
  }

  get names(): string[] {
    return [...this.accounts.keys()].sort();
  }
}
