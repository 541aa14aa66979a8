import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import swc from '@swc/jest';

const VERSION = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .digest('hex');

// Jest warns of a worker that takes more than half a second to end, and freeing its heap takes that long: it skips that.
const isWorker = process.argv[1]?.endsWith('processChild.js');
if (isWorker) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));

/**
 * Transpiles test files, and puts the tests of each into a `describe` of its own, so that its hooks are for them alone: several
 * files may run together (groups.js). Lines stay where they are.
 */
export default {
  createTransformer(options) {
    const transpiler = swc.createTransformer(options);
    return {
      ...transpiler,
      process: (text, path, given) => transpiler.process(described(text, path, given), path, given),
      processAsync: (text, path, given) => transpiler.processAsync(described(text, path, given), path, given),
      getCacheKey: (...given) => VERSION.slice(0, 16) + transpiler.getCacheKey(...given),
    };
  },
};

/** The imports of a file, which come first. */
const IMPORTS = /^(?:\s*(?:\/\/.*|\/\*[^]*?\*\/|import\b[^;]*;))*/;

function described(text, path, { config }) {
  const [imports] = IMPORTS.exec(text);
  const name = relative(config.cwd, path);
  return `${imports}describe(${JSON.stringify(name)}, () => {${text.slice(imports.length)}\n});`;
}
