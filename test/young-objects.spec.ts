import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Creates many long-lived objects in one statement, and prints whether V8 allocates later ones directly in the old
 * generation.
 */
const SCRIPT = `
  const isYoung = new Function('value', 'return %InYoungGeneration(value)');
  const make = (n) => [{ n }, n];
  const kept = [];
  const makeMany = (count) => {
    let old = 0;
    for (let n = 0; n < count; n += 1) {
      kept.push(make(n));
      if (!isYoung(kept.at(-1))) old += 1;
    }
    return old;
  };
  for (let round = 0; round < 10; round += 1) {
    makeMany(500);
    gc({ type: 'minor' });
  }
  let old = 0;
  for (let round = 0; round < 20 && old === 0; round += 1) old = makeMany(20_000);
  console.log(old > 0 ? 'old' : 'young');`;

// The last two make V8 count and compile at the same moments in each run.
const FLAGS = '--expose-gc --allow-natives-syntax --no-lazy-feedback-allocation --no-concurrent-recompilation';

/** @param imports modules to load first */
function generationOf(imports: string[]): string {
  const code = [...imports.map((file) => `await import(${JSON.stringify(file)});`), SCRIPT].join('\n');
  const args = [...FLAGS.split(' '), '--input-type=module', '--eval', code];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

describe('objects of a statement that has made many which stayed', () => {
  it('are allocated old, as V8 does by default', () => {
    expect(generationOf([])).toBe('old');
  });

  it('are allocated young in the service: most are released with their request', () => {
    expect(generationOf([join(process.cwd(), 'dist/src/app.setup.js')])).toBe('young');
  });
});
