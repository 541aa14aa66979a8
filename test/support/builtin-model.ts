import { BuiltinModel } from '../../src/features/semantic/models/builtin-model.service.js';

const isThere = process.env['REQUIRE_ALL'] === '1' || new BuiltinModel().problem === null;

/** Tests with the real embedding model; skipped with a message where it is not installed. */
export function describeWithModel(title: string, tests: () => void): void {
  if (!isThere) process.stderr.write(`Left out: "${title}" needs the built-in model: npm run embeddings:install\n`);
  (isThere ? describe : describe.skip)(title, tests);
}
