import type { AdminRole } from '../accounts/administrator.js';

/** Names of providers; they stand in paths. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** The same in words. */
export const PROVIDER_NAME_RULE =
  'must be a name such as company: lower-case letters, digits and dashes, the first a letter or a digit, 40 at most';
/** An issuer as it may be typed: the service looks at the rest. */
export const ISSUER = /^https?:\/\/[^\s?#]{1,490}$/;
export const ISSUER_RULE = 'must be the https URL that the provider calls its issuer, without a query';
/** A scope (RFC 6749, section 3.3). */
export const SCOPE = /^[!#-[\]-~]{1,100}$/;
export const SCOPE_RULE = 'must be a scope such as profile: visible characters without spaces and quotes, 100 at most';

export const MAX_PROVIDERS = 20;
/** Identities of one account. */
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

/** What it means to be in a group of the provider. */
export interface GroupRule {
  /** The group as the provider names it. */
  group: string;
  /** The least role of its members; null = it says nothing about the role. */
  role: AdminRole | null;
  /** Groups that policies see its members in. */
  groups: readonly string[];
}

/** What an administrator decides about a provider. */
export interface ProviderDetails {
  /** What the button on the login page names. */
  title: string;
  issuer: string;
  clientId: string;
  scopes: readonly string[];
  /** The claim that people are known by. */
  personClaim: string;
  /** The claim that lists the groups of a person; null = there is none. */
  groupsClaim: string | null;
  rules: readonly GroupRule[];
  /** Whether the first login of a person makes an account. */
  makesAccounts: boolean;
  /** The role of a person whom no rule gives one. */
  defaultRole: AdminRole;
  enabled: boolean;
}

/** A company's OpenID Connect provider, at which people log in. */
export interface LoginProvider extends ProviderDetails {
  name: string;
  hasSecret: boolean;
  createdAt: Date;
}

/** A provider with the sealed secret of the service there; null = it has none. */
export interface StoredProvider extends LoginProvider {
  sealedSecret: string | null;
}

/** Why somebody was not logged in; the login page says it in words. */
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
