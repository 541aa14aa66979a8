// Leaves out all mutants but a sample, so that a part of some thousands can be judged within an hour: `MUTATION_SAMPLE=0.1`.
// Stryker counts those that are left out like mutants that do not compile: not at all.
import { createHash } from 'node:crypto';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const SHARE = Number(process.env['MUTATION_SAMPLE'] ?? 1);
/** Another seed gives another sample. */
const SEED = process.env['MUTATION_SEED'] ?? '';

class Sample {
  async init() {}

  async check(mutants) {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, isChosen(mutant) ? CHOSEN : LEFT_OUT]));
  }

  group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

const CHOSEN = { status: 'passed' };
const LEFT_OUT = { status: 'compileError', reason: 'is not in the sample' };

function isChosen({ fileName, location, replacement }) {
  const file = fileName.split('/').slice(-2);
  const digest = createHash('sha256').update(JSON.stringify([SEED, file, location, replacement]));
  return digest.digest().readUInt32BE() / 2 ** 32 < SHARE;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
