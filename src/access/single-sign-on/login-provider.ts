import type { AdminRole } from '../accounts/administrator.js';

/** Names of providers; they are parts of paths. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** The same in words. */
export const PROVIDER_NAME_RULE =
  'must be a name such as company: lower-case letters, digits and dashes, the first a letter or a digit, 40 at most';
/** The accepted form of an issuer; the service checks the rest. */
export const ISSUER = /^https?:\/\/[^\s?#]{1,490}$/;
export const ISSUER_RULE = 'must be the https URL that the provider calls its issuer, without a query';
/** A scope (RFC 6749, section 3.3). */
export const SCOPE = /^[!#-[\]-~]{1,100}$/;
export const SCOPE_RULE = 'must be a scope such as profile: visible characters without spaces and quotes, 100 at most';

export const MAX_PROVIDERS = 20;
/** Maximum number of identities of one account. */
export const MAX_IDENTITIES = 10;
export const MAX_TITLE = 80;
export const MAX_ISSUER = 500;
export const MAX_CLIENT_ID = 255;
export const MAX_CLIENT_SECRET = 1_024;
export const MAX_SCOPES = 20;
export const MAX_CLAIM = 200;
export const MAX_RULES = 100;
export const MAX_PROVIDER_GROUP = 256;

export const DEFAULT_SCOPES = ['openid', 'profile', 'email'] as const;

export interface GroupRule {
  group: string;
  /** The minimum role of its members; null = it does not set the role. */
  role: AdminRole | null;
  /** Groups of its members, as policies see them. */
  groups: readonly string[];
}

export interface ProviderDetails {
  /** The label of the button on the login page. */
  title: string;
  issuer: string;
  clientId: string;
  scopes: readonly string[];
  personClaim: string;
  /** The claim that lists the groups of a person; null = there is none. */
  groupsClaim: string | null;
  rules: readonly GroupRule[];
  /** True when the first login of a person creates an account. */
  makesAccounts: boolean;
  /** The role of a person if no rule sets one. */
  defaultRole: AdminRole;
  enabled: boolean;
}

/** A company's OpenID Connect provider, at which people log in. */
export interface LoginProvider extends ProviderDetails {
  name: string;
  hasSecret: boolean;
  createdAt: Date;
}

/** A provider with the service's sealed secret for it; null = none. */
export interface StoredProvider extends LoginProvider {
  sealedSecret: string | null;
}

/** The reasons for a failed login; the login page has a message for each. */
export const LOGIN_FAILURES = [
  'account_disabled',
  'denied',
  'expired',
  'failed',
  'groups_missing',
  'linked_elsewhere',
  'misconfigured',
  'no_account',
  'refused',
  'too_many_accounts',
  'too_many_attempts',
  'unknown_provider',
  'unreachable',
] as const;

export type LoginFailure = (typeof LOGIN_FAILURES)[number];
