// The parts of the code that are changed are those that `npm run mutation -- <path>...` names.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import jest from '../../jest.config.js';

const parts = process.env['MUTATED']?.split(',') ?? [];

const own = (file) => new URL(file, import.meta.url).href;

/** The tests of a part are beside its code; those of stores are contracts, which hold on each database. */
const roots = [...new Set([...parts.map((part) => (part.endsWith('.ts') ? dirname(part) : part)), 'test/contracts'])];
// The unit tests need no servers.
const shared = {
  ...jest,
  globalSetup: undefined,
  globalTeardown: undefined,
  testEnvironment: fileURLToPath(new URL('quick-environment.cjs', import.meta.url)),
  // A test that hangs has noticed; none takes that long otherwise.
  testTimeout: 8_000,
  roots: roots.map((root) => `<rootDir>/${root}`),
};

export default {
  plugins: ['@stryker-mutator/jest-runner', own('covering-tests.js'), own('sample.js')],
  checkers: process.env['MUTATION_SAMPLE'] ? ['sample'] : [],
  testRunner: 'covering-tests',
  // A second run of Jest in a process hangs. It would also meet what the tests that failed have left open.
  maxTestRunnerReuse: 1,
  // Jest has the TypeScript transpiled, without types; there is nothing to rewrite for the copy.
  tsconfigFile: 'none',
  // Modules of ES are loaded by the flag that `npm test` sets, too.
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  // What runs only once, when its module is loaded, cannot be switched on for single tests.
  ignoreStatic: true,
  mutate: parts.flatMap((part) =>
    part.endsWith('.ts') ? [part] : [`${part}/**/*.ts`, `!${part}/**/*.spec.ts`, `!${part}/**/*testing.ts`],
  ),
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
  concurrency: Number(process.env['MUTATION_CONCURRENCY'] ?? 2),
  timeoutMS: 15_000,
  thresholds: { high: 90, low: 80, break: 80 },
};
