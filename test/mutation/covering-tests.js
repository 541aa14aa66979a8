// Stryker's runner for Jest, but a mutant meets only the files with tests that cover it. The original loads every file that
// imports what was changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { strykerPlugins as original } from '@stryker-mutator/jest-runner';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

/** In the copy of the project, which the processes share: the first of them finds out which file has which tests. */
const TESTS = 'tests-by-file.json';

function coveringTests(injector) {
  const [{ factory }] = original;
  const runner = injector.injectFunction(factory);
  runner.jestTestAdapter = new CoveringFiles(runner.jestTestAdapter);
  return runner;
}
coveringTests.inject = tokens(commonTokens.injector);

class CoveringFiles {
  constructor(adapter) {
    this.adapter = adapter;
  }

  async run(settings) {
    const { testNamePattern } = settings;
    if (testNamePattern !== undefined)
      return this.adapter.run({ ...settings, testFiles: filesWith(new RegExp(testNamePattern)) });
    const run = await this.adapter.run(settings);
    if (settings.testLocationInResults) writeFileSync(TESTS, JSON.stringify(namesByFile(run)));
    return run;
  }
}

const namesByFile = ({ results }) =>
  results.testResults.map(({ testFilePath, testResults }) => [
    testFilePath,
    testResults.map(({ fullName }) => fullName),
  ]);

/** Returns the files with tests of these names. */
const filesWith = (pattern) =>
  JSON.parse(readFileSync(TESTS, 'utf8'))
    .filter(([, names]) => names.some((name) => pattern.test(name)))
    .map(([file]) => file);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'covering-tests', coveringTests)];
