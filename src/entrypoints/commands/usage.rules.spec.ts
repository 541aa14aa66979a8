import { usageAsCalled } from './usage.rules.js';

describe('usageAsCalled', () => {
  it.each([
    ['npm run export -- <file>', 'npx agent-service export <file>'],
    ['npm run knowledge:import -- <folder> [--prune]', 'npx agent-service knowledge-import <folder> [--prune]'],
    ['npm run audit:verify', 'npx agent-service audit-verify'],
  ])('names the command of %s as it is called in a clone, and in a package', (usage, inPackage) => {
    expect([usageAsCalled(usage, true), usageAsCalled(usage, false)]).toEqual([usage, inPackage]);
  });
});
