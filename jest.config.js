export default {
  testEnvironment: 'node',
  // Of many starts of the whole service on a machine that is busy with other things.
  testTimeout: 30_000,
  roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: String.raw`\.(spec|e2e-spec)\.ts$`,
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: { '^#([\\w-]+)$': '<rootDir>/libs/$1/src/index.ts', '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  coverageProvider: 'v8',
};
