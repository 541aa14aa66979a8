import { availableParallelism, totalmem } from 'node:os';
import { GROUPS, writeGroups } from './test/groups.js';

/** The paths whose tests run in groups, set by `npm test`; undefined = tests run file by file. */
const { TEST_GROUPS_OF } = process.env;
const isGrouped = TEST_GROUPS_OF !== undefined;
if (isGrouped) writeGroups(TEST_GROUPS_OF.split(' '));

const FOUR_GIGABYTES = 4e9;
/** Tests spend part of their time waiting: three workers keep two cores busy. Each may use this much memory. */
const workersOfTwoCores = Math.min(3, Math.floor(totalmem() / FOUR_GIGABYTES));

export default {
  testEnvironment: 'node',
  maxWorkers: Math.max(1, availableParallelism() - 1, workersOfTwoCores),
  // Only ends tests that hang: a busy machine takes several times as long as usual.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/in-order.js',
  // Workers leak memory with each test file: several gigabytes in total.
  workerIdleMemoryLimit: '1GB',
  roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/test', ...(isGrouped ? [`<rootDir>/${GROUPS}`] : [])],
  testRegex: isGrouped ? String.raw`\.group\.js$` : String.raw`\.(spec|e2e-spec)\.ts$`,
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  setupFiles: ['reflect-metadata'],
  resolver: '<rootDir>/test/resolve-bundled.js',
  moduleNameMapper: { '^#([\\w-]+)$': '<rootDir>/libs/$1/src/index.ts', '^(\\.{1,2}/.*)\\.js$': '$1' },
  // As in .swcrc, with which the service is transpiled.
  transform: {
    [String.raw`\.(spec|e2e-spec)\.ts$`]: '<rootDir>/test/spec-transformer.js',
    [String.raw`\.ts$`]: '@swc/jest',
  },
  coverageProvider: 'v8',
};
