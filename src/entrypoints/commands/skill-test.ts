import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { callSkill, stopTrials } from '../../features/modules/trial/call-skill.js';
import { run } from './command.js';
import { FileMissing, TestsFailed } from './commands.errors.js';

/** The specifier from which tests of skill modules import `callSkill`. */
const KIT = 'agent-service/skill-test';
const KIT_URL = 'skill-test-kit:';
const SHELF = 'agent-service.skill-test';

await run(
  { usage: 'npm run skill:test -- <file>', operands: ['file'], options: {} },
  async ({ operands: [file = ''] }) => {
    if (!existsSync(file)) throw new FileMissing(file);
    offerKit();
    const tests = runTests({ files: [resolve(file)], isolation: 'none' });
    let failed = 0;
    tests.on('test:fail', () => void (failed += 1));
    try {
      for await (const text of tests.compose(new spec())) process.stdout.write(String(text));
    } finally {
      await stopTrials();
    }
    if (failed > 0) throw new TestsFailed(file);
    return `The tests in ${file} have passed.`;
  },
);

/** Lets the tests, which are imported into this process, import the kit. */
function offerKit(): void {
  const kit: typeof import('agent-service/skill-test') = { callSkill };
  Object.defineProperty(globalThis, Symbol.for(SHELF), { value: kit });
  const source = `export const { callSkill } = globalThis[Symbol.for('${SHELF}')];`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === KIT ? { url: KIT_URL, shortCircuit: true } : next(specifier, context),
    load(url, context, next) {
      if (url === KIT_URL) return { format: 'module', source, shortCircuit: true };
      // Tests import, like modules, also below a package.json of "type": "commonjs", which npm init writes.
      const format = context.format === 'commonjs-typescript' ? 'module-typescript' : context.format;
      return next(url, { ...context, format });
    },
  });
}
