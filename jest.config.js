import { availableParallelism, totalmem } from 'node:os';

const FOUR_GIGABYTES = 4e9;
/** Tests wait a good part of their time: two cores are busy with three workers, each of which may take so much memory. */
const workersOfTwoCores = Math.min(3, Math.floor(totalmem() / FOUR_GIGABYTES));

export default {
  testEnvironment: 'node',
  maxWorkers: Math.max(1, availableParallelism() - 1, workersOfTwoCores),
  // Ends only a test that hangs: a machine that is busy with other things takes several times as long.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/longest-first.js',
  // Jest keeps something of each file for as long as the process lives that ran it: gigabytes in the end.
  workerIdleMemoryLimit: '1GB',
  roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: String.raw`\.(spec|e2e-spec)\.ts$`,
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  setupFiles: ['reflect-metadata'],
  resolver: '<rootDir>/test/resolve-bundled.js',
  moduleNameMapper: { '^#([\\w-]+)$': '<rootDir>/libs/$1/src/index.ts', '^(\\.{1,2}/.*)\\.js$': '$1' },
  // As .swcrc says, which the service is transpiled by, too.
  transform: { '^.+\\.ts$': '@swc/jest' },
  coverageProvider: 'v8',
};
