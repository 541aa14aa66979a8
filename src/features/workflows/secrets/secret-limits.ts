import type { Destination } from '#open-workflow';
import { isAmongHosts, toHostEntry } from './secret-limits.rules.js';
import {
  HOST_ENTRY_RULE,
  MAX_PLACES,
  SKILL_NAME,
  SKILL_NAME_RULE,
  type SecretLimits,
  type WorkflowSecret,
} from './workflow-secret.js';
import { InvalidSecretLimit, TooManySecretLimits } from './workflow-secrets.errors.js';

const RULES = {
  hosts: { rule: HOST_ENTRY_RULE, toEntry: toHostEntry },
  skills: { rule: SKILL_NAME_RULE, toEntry: (name: string) => (SKILL_NAME.test(name) ? name : null) },
};

/** Returns the given limits in normal form. @throws InvalidSecretLimit, TooManySecretLimits */
export const limitsOf = ({ hosts, skills }: Partial<SecretLimits>): Partial<SecretLimits> => ({
  ...(hosts !== undefined && { hosts: hosts && placesOf('hosts', hosts) }),
  ...(skills !== undefined && { skills: skills && placesOf('skills', skills) }),
});

/** Returns why a secret may not go to a destination, and what to do; null = it may be sent. */
export function refusalOf({ name, hosts, skills }: WorkflowSecret, destination: Destination): string | null {
  if ('url' in destination) {
    if (hosts === null || isAmongHosts(destination.url, hosts)) return null;
    return refused(name, `be sent to ${destination.url.host}`, 'host');
  }
  if (skills === null || skills.includes(destination.function)) return null;
  return refused(name, `be passed to the skill ${destination.function}`, 'skill');
}

function placesOf(list: keyof SecretLimits, given: readonly string[]): string[] {
  if (given.length > MAX_PLACES) throw new TooManySecretLimits(list);
  const { rule, toEntry } = RULES[list];
  const entries = given.map(toEntry);
  const wrong = new Map([...given.entries()].filter(([index]) => entries[index] === null));
  if (wrong.size > 0) throw new InvalidSecretLimit(list, { rule, wrong });
  return [...new Set(entries.filter((entry) => entry !== null))];
}

const refused = (name: string, what: string, kind: string) =>
  `The secret ${name} may not ${what}: an administrator can allow that ${kind} on the page Secrets.`;
