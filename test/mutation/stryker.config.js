// The parts of the code that are changed are those that `npm run mutation -- <path>...` names.
import jest from '../../jest.config.js';

// The unit tests need no servers.
const shared = { ...jest, globalSetup: undefined, globalTeardown: undefined };
const parts = process.env['MUTATED']?.split(',') ?? [];

export default {
  testRunner: 'jest',
  // Jest has the TypeScript transpiled, without types; there is nothing to rewrite for the copy.
  tsconfigFile: 'none',
  // Modules of ES are loaded by the flag that `npm test` sets, too.
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  // What runs only once, when its module is loaded, cannot be switched on for single tests.
  ignoreStatic: true,
  mutate: parts.flatMap((part) => [`${part}/**/*.ts`, `!${part}/**/*.spec.ts`, `!${part}/**/*testing.ts`]),
  // Texts are for people: tests that pin each of them would only be in the way.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: [
    '/bench',
    '/dist',
    '/docs',
    '/tools',
    '/libs/admin-ui',
    '/libs/app-views',
    '/test/restate',
    '/deploy',
  ],
  tempDirName: '.mutation',
  jest: { projectType: 'custom', config: { ...shared, testRegex: String.raw`\.spec\.ts$` } },
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  concurrency: 2,
  timeoutMS: 30_000,
  thresholds: { high: 90, low: 80, break: 80 },
};
