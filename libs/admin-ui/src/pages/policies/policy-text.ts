const DESCRIPTION = /@description\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)/s;
const LONGEST_SUMMARY = 300;

/** Returns the annotation `@description` of a policy, or else the policy on one line, without comments. */
export function summaryOf(policy: string): { text: string; isCode: boolean } {
  const described = DESCRIPTION.exec(policy)?.[1]
    ?.replace(/\\(["\\'])/g, '$1')
    .trim();
  if (described) return { text: described, isCode: false };
  const line = policy
    .replace(/^[^\S\n]*\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/([([{]) | (?=[)\]}])/g, '$1')
    .trim();
  return { text: line.slice(0, LONGEST_SUMMARY), isCode: true };
}

/** Names of policies that the service accepts. */
export const POLICY_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The name of a policy without a valid name during a trial. */
const UNNAMED = 'this-policy';

export const nameForTrial = (name: string): string => (POLICY_NAME.test(name) ? name : UNNAMED);
