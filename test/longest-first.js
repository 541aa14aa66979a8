/**
 * Starts with the files that take longest, so that both workers are busy until the end: those that drive a browser, then
 * those that start the service, then the contracts of stores, then all others.
 */
const KINDS = [/\/test\/browser\//, /\.e2e-spec\.ts$/, /\/test\//, /./];
const kindOf = ({ path }) => KINDS.findIndex((kind) => kind.test(path));

export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((one, other) => kindOf(one) - kindOf(other) || sizeOf(other) - sizeOf(one));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // The order is the same in every run.
  }
}

const sizeOf = ({ context, path }) => context.hasteFS.getSize(path) ?? 0;
