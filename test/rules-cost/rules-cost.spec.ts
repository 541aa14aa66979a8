import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../src/platform/errors/app-error.js';
import { cpuMicros, growthOf, TIMES } from '../support/growth.js';
import { RULES } from './calls.js';
import type { Call, Entry } from './entry.js';
import { type WorstText, worstTexts } from './worst-texts.js';

/** Lower costs are noise: what grows superlinearly costs much more. */
const CHEAP_MICROS = 25_000;
/** Large strings cost slightly more than many small ones; quadratic cost grows by `TIMES`. */
const STEEP = 5;
/**
 * From small to large, so that superlinear cost is found before it takes forever; each size takes the most expensive texts of
 * the previous one.
 */
const SIZES = [
  { bytes: 4_000, dearest: 12 },
  { bytes: 32_000, dearest: 6 },
  { bytes: 128_000, dearest: 3 },
];
const SHORT_BYTES = 50;
const TIMEOUT_MS = 600_000;

const files = ['src', 'libs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.rules.ts') && !file.includes('node_modules')),
);

describe('the rules', () => {
  it('are all measured with hostile texts', () => {
    expect(Object.keys(RULES).sort()).toEqual(files.sort());
  });

  it.each(files)('judge every function of %s', async (file) => {
    const module = (await import(resolve(file))) as Record<string, unknown>;
    const functions = Object.keys(module).filter((name) => typeof module[name] === 'function');
    expect(Object.keys(RULES[file] ?? {}).sort()).toEqual(functions.sort());
  });

  const judged = Object.entries(RULES).flatMap(([file, entries]) =>
    Object.entries(entries)
      .filter(([, entry]) => typeof entry !== 'string')
      .map(([name, entry]) => [`${name} of ${file}`, entry] as const),
  );

  it.each(judged)(
    '%s costs at most in proportion to a text, however long and hostile it is',
    async (_title, entry) => {
      expect(await takesSome(callsOf(entry))).toBe(true);
      const steep: string[] = [];
      for (const call of callsOf(entry)) {
        let units: ReadonlySet<string> | undefined; // undefined = all
        for (const { bytes, dearest } of SIZES) {
          if (steep.length > 0) break;
          const costly = await dearestOf(call, worstTexts(bytes, units), dearest);
          units = new Set(costly.map(({ unit }) => unit));
          const shorter = new Map(worstTexts(bytes / TIMES, units).map(({ unit, text }) => [unit, text]));
          for (const { unit, text, micros } of costly) {
            const work = (size: number) => refusable(() => call(size === 1 ? (shorter.get(unit) ?? '') : text));
            const isSteep = micros > CHEAP_MICROS && (await growthOf(work, { tries: 1, enough: STEEP })) >= STEEP;
            if (isSteep) steep.push(`${JSON.stringify(unit)}, ${bytes} bytes`);
          }
        }
      }
      expect(steep).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Returns whether some text is not rejected: the cost of a rejection shows nothing of the work. */
async function takesSome(calls: readonly Call[]): Promise<boolean> {
  for (const call of calls) {
    for (const { text } of worstTexts(SHORT_BYTES)) {
      if (await refusable(() => call(text))) return true;
    }
  }
  return false;
}

async function dearestOf(call: Call, texts: readonly WorstText[], count: number) {
  const costs: (WorstText & { micros: number })[] = [];
  for (const worst of texts) {
    costs.push({ ...worst, micros: await cpuMicros(() => refusable(() => call(worst.text))) });
  }
  return costs.sort((a, b) => b.micros - a.micros).slice(0, count);
}

function callsOf(entry: Entry): readonly Call[] {
  if (typeof entry === 'string') return [];
  return typeof entry === 'function' ? [entry] : entry;
}

/** Runs the work, and accepts that it rejects a text; other errors are rethrown. Returns whether it took the text. */
async function refusable(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
