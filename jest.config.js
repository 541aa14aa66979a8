import { availableParallelism, totalmem } from 'node:os';

const FOUR_GIGABYTES = 4e9;
/** Tests spend part of their time waiting: three workers keep two cores busy. Each may use this much memory. */
const workersOfTwoCores = Math.min(3, Math.floor(totalmem() / FOUR_GIGABYTES));

export default {
  testEnvironment: 'node',
  maxWorkers: Math.max(1, availableParallelism() - 1, workersOfTwoCores),
  // Only ends tests that hang: a busy machine takes several times as long as usual.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/longest-first.js',
  // Workers leak memory with each test file: several gigabytes in total.
  workerIdleMemoryLimit: '1GB',
  roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: String.raw`\.(spec|e2e-spec)\.ts$`,
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  setupFiles: ['reflect-metadata'],
  resolver: '<rootDir>/test/resolve-bundled.js',
  moduleNameMapper: { '^#([\\w-]+)$': '<rootDir>/libs/$1/src/index.ts', '^(\\.{1,2}/.*)\\.js$': '$1' },
  // As in .swcrc, with which the service is transpiled.
  transform: { '^.+\\.ts$': '@swc/jest' },
  coverageProvider: 'v8',
};
