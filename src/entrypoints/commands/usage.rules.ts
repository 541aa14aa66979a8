/**
 * Returns the usage of a command in this installation.
 * @param usage as in a git clone: `npm run skill:new -- <name>`
 */
export function usageAsCalled(usage: string, isClone: boolean): string {
  if (isClone) return usage;
  return usage.replace(
    /^npm run ([\w:-]+)(?: --(?= ))?/,
    (_whole, script: string) => `npx agent-service ${script.replace(':', '-')}`,
  );
}
