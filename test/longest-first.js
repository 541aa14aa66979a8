/**
 * Starts with the files that take longest, so that all workers are busy until the end: those that drive a browser or keep
 * a core busy otherwise, then those that start the service, then the contracts of stores and engines, then all others. The
 * first ones have those beside them that mostly wait.
 */
const KINDS = [/\/test\/(browser|rules-cost)\//, /\.e2e-spec\.ts$/, /\/test\/|-engine\.spec\.ts$/, /./];
const WAITING = /(crash|durability|faults|issuer|lifecycle|restarts)\.e2e-spec\.ts$/;
/** So many wait beside each that keeps a core busy. */
const BESIDE = 2;

const kindOf = ({ path }) => KINDS.findIndex((kind) => kind.test(path));
const sizeOf = ({ context, path }) => context.hasteFS.getSize(path) ?? 0;

export default class LongestFirst {
  sort(tests) {
    const sorted = [...tests].sort((one, other) => kindOf(one) - kindOf(other) || sizeOf(other) - sizeOf(one));
    const waiting = sorted.filter(({ path }) => WAITING.test(path));
    const others = sorted.filter(({ path }) => !WAITING.test(path));
    return others.flatMap((test) => [test, ...(kindOf(test) === 0 ? waiting.splice(0, BESIDE) : [])]).concat(waiting);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // The order is the same in every run.
  }
}
