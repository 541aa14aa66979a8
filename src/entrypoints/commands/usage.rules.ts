/**
 * Returns how a command is called where the service was installed.
 * @param usage as in a clone: `npm run skill:new -- <name>`
 */
export function usageAsCalled(usage: string, isClone: boolean): string {
  if (isClone) return usage;
  return usage.replace(
    /^npm run ([\w:-]+)(?: --(?= ))?/,
    (_whole, script: string) => `npx agent-service ${script.replace(':', '-')}`,
  );
}
