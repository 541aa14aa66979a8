/** What an account may do; each role may do all that the ones before it may. */
export const ADMIN_ROLES = ['member', 'viewer', 'editor', 'admin'] as const;

/**
 * - `member` administrates nothing, and has only its own account;
 * - `viewer` reads;
 * - `editor` changes content and workflows, too;
 * - `admin` changes everything.
 */
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** The account that is always there. It has the password of the environment, or the one that the first start made. */
export const BUILT_IN = 'admin';

export const MAX_ACCOUNTS = 500;

export const ADMINISTRATOR_NAME = /^[a-z][a-z0-9._-]{0,39}$/;

/** What is decided about an account, whoever it belongs to. */
export interface AccountDetails {
  role: AdminRole;
  /** Groups that policies see the person in; the same names as the groups of clients. */
  groups: readonly string[];
  /** Whether it can neither log in nor keep a session. */
  disabled: boolean;
}

/** An account as other administrators see it. */
export interface Administrator extends AccountDetails {
  name: string;
  /** Whether it can log in with a password; otherwise only at a provider of single sign-on. */
  hasPassword: boolean;
  /** Whether the environment says what the password is, so that it cannot be changed here. */
  hasFixedPassword: boolean;
  createdAt: Date;
  passwordChangedAt: Date;
  lastLoginAt: Date | null; // null = never
}

/** An account with what its logins are checked by. */
export interface AdministratorAccount extends Administrator {
  passwordHash: string;
  /** Changes when everything that the account has open must end. */
  stamp: string;
}

/** A browser session as administrators see it. */
export interface AdminSession {
  id: string;
  /** The address that logged in. */
  address: string;
  /** What the browser calls itself; null when it says nothing. */
  browser: string | null;
  createdAt: Date;
  /** Within five minutes. */
  lastUsedAt: Date;
}
