import { ADMIN_ROLES, type AdminRole } from '../accounts/administrator.js';
import { MAX_GROUPS } from '../clients/client.js';
import type { ProviderDetails } from './login-provider.js';

const DEFAULT_PATH = '/admin/';
const MAX_PATH = 500;
/** Maximum number of groups read from the claims of one person. */
const MAX_CLAIMED_GROUPS = 1_000;
const LONGEST_BASE = 36;

/**
 * Returns the path to open after a login: the requested one, if it cannot lead to another site, else the start page of the
 * administration.
 */
export function safePath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > MAX_PATH) return DEFAULT_PATH;
  // Visible ASCII only: browsers drop control characters, and treat backslashes as slashes.
  if (!/^\/(?!\/)[!-[\]-~]*$/.test(asked)) return DEFAULT_PATH;
  const url = URL.parse(asked, 'http://here.invalid');
  if (url?.host !== 'here.invalid' || url.pathname.startsWith('//')) return DEFAULT_PATH;
  return url.pathname + url.search;
}

export function withParameter(path: string, name: string, value: string): string {
  const url = new URL(path, 'http://here.invalid');
  url.searchParams.set(name, value);
  return url.pathname + url.search;
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns the value of a claim: with exactly this name, or at a path such as `realm_access.roles`; undefined when there is none. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isObject ? (value as Claims)[part] : undefined;
  }, claims);
}

/** Returns the groups that a claim lists; a single text is one group. */
export function groupsIn(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value.slice(0, MAX_CLAIMED_GROUPS) : [value];
  return list.filter((one) => typeof one === 'string');
}

/** Returns whether the provider leaves out the groups because there are too many (Microsoft Entra: "groups overage claim"). */
export function leavesOutGroups(claims: Claims, claim: string): boolean {
  const elsewhere = claims['_claim_names'];
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim);
}

/**
 * Returns what the rules give to a member of these groups of the provider: the highest of their roles, or the default role, and
 * all their groups. null = no rule sets it, so administrators decide it here.
 */
export function grantsOf(
  { rules, defaultRole }: Pick<ProviderDetails, 'rules' | 'defaultRole'>,
  theirs: readonly string[],
): { role: AdminRole | null; groups: string[] | null } {
  const isIn = new Set(theirs);
  const matching = rules.filter(({ group }) => isIn.has(group));
  const roles = matching.flatMap(({ role }) => role ?? []);
  const highest = ADMIN_ROLES.findLast((role) => roles.includes(role)) ?? defaultRole;
  const groups = [...new Set(matching.flatMap((rule) => rule.groups))].slice(0, MAX_GROUPS);
  return {
    role: rules.some(({ role }) => role !== null) ? highest : null,
    groups: rules.some((rule) => rule.groups.length > 0) ? groups : null,
  };
}

/** Claims that an account is named after, best first. */
const NAMES = ['preferred_username', 'email', 'name'];

/**
 * Returns whether an ID token lacks claims that a login needs. Providers may leave all but `sub` to the userinfo endpoint (OpenID
 * Connect Core 1.0, section 5.4).
 */
export function lacksClaims(
  claims: Claims,
  { personClaim, groupsClaim, rules }: Pick<ProviderDetails, 'personClaim' | 'groupsClaim' | 'rules'>,
): boolean {
  const isMissing = (name: string) => claimOf(claims, name) === undefined;
  const lacksGroups = groupsClaim !== null && rules.length > 0 && isMissing(groupsClaim);
  return lacksGroups || isMissing(personClaim) || NAMES.every(isMissing);
}

/** Returns candidate names for a new account, best first: from the provider's names for the person, numbered if taken. */
export function* accountNames(claims: Claims): Generator<string> {
  const known = [...NAMES, 'sub'].map((claim) => claims[claim]);
  const base = known.map(nameIn).find((name) => name !== '') ?? 'person';
  yield base;
  for (let number = 2; number < 100; number += 1) yield `${base}-${number}`;
}

function nameIn(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  const local = claim.slice(0, 200).split('@')[0] ?? '';
  const plain = local.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const name = plain.replace(/[^a-z0-9._-]+/g, '-').replace(/^[^a-z]+/, '');
  return name.slice(0, LONGEST_BASE).replace(/[-._]+$/, '');
}

/** What the document of a provider lacks (OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2). */
export interface DiscoveryFindings {
  problems: string[];
  warnings: string[];
}

export function findingsOf(document: unknown, issuer: string): DiscoveryFindings {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return {
      problems: ['The answer is not a discovery document. Is this the issuer, and not the address of a page?'],
      warnings: [],
    };
  const found = document as Claims;
  const problems: string[] = [];
  const warnings: string[] = [];
  const lists = (name: string, value: string) => groupsIn(found[name]).includes(value);
  if (found['issuer'] !== issuer) {
    const theirs = JSON.stringify(found['issuer'] ?? null).slice(0, 300);
    problems.push(`The provider calls its issuer ${theirs}: enter exactly that, including a slash at the end.`);
  }
  for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    if (typeof found[endpoint] !== 'string') problems.push(`The provider announces no ${endpoint}.`);
  if (found['response_types_supported'] !== undefined && !lists('response_types_supported', 'code'))
    problems.push('The provider does not offer the authorization code flow (response type code).');
  if (found['code_challenge_methods_supported'] === undefined)
    warnings.push(
      'The provider does not say whether it supports PKCE with S256. Microsoft Entra does, and does not say so.',
    );
  else if (!lists('code_challenge_methods_supported', 'S256'))
    problems.push('The provider does not support PKCE with S256.');
  return { problems, warnings };
}
