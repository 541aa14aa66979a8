const DESCRIPTION = /@description\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)/s;
const MOST_LINES = 3;

/** Returns what the annotation `@description` of a policy says; without it, the first lines of the policy. */
export function summaryOf(policy: string): { text: string; isCode: boolean } {
  const described = DESCRIPTION.exec(policy)?.[1]
    ?.replace(/\\(["\\'])/g, '$1')
    .trim();
  if (described) return { text: described, isCode: false };
  const lines = policy.split('\n').filter((line) => line.trim() !== '');
  return { text: lines.slice(0, MOST_LINES).join('\n'), isCode: true };
}

/** Names of policies, as the service takes them. */
export const POLICY_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The name that a policy without a valid name has while it is tried. */
const UNNAMED = 'this-policy';

export const nameForTrial = (name: string): string => (POLICY_NAME.test(name) ? name : UNNAMED);
