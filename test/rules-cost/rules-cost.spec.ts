import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../src/platform/errors/app-error.js';
import { cpuMicros, growthOf, LINEAR, TIMES } from '../support/growth.js';
import { RULES } from './calls.js';
import type { Call, Entry } from './entry.js';
import { worstTexts } from './worst-texts.js';

/** What costs less can't be told from what costs nothing: what grows faster than its text costs much more. */
const CHEAP_MICROS = 5_000;
/** From small to large, so that what is not linear is found before it takes for ever. */
const SIZES = [4_000, 64_000];
const LARGEST = 1_000_000;
/** So many of the texts, those that cost most so far, are tried with the largest size. */
const WORST = 6;
/** So many examples show what is wrong. */
const ENOUGH = 5;
const TIMEOUT_MS = 300_000;

const files = ['src', 'libs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.rules.ts') && !file.includes('node_modules')),
);

describe('the rules', () => {
  it('are all judged by what texts of strangers cost them', () => {
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
    '%s costs no more than in proportion to a text, however long and bad it is',
    async (_title, entry) => {
      const steep: string[] = [];
      for (const call of callsOf(entry)) {
        let costs: Cost[] = [];
        for (const bytes of SIZES) {
          costs = [];
          for await (const cost of costsOf(call, bytes)) {
            costs.push(cost);
            if (cost.isSteep) steep.push(`${JSON.stringify(cost.unit)}, ${bytes} bytes`);
            if (steep.length >= ENOUGH) break;
          }
          if (steep.length > 0) break;
        }
        if (steep.length > 0) break;
        costs.sort((a, b) => b.micros - a.micros);
        const dearest = new Set(costs.slice(0, WORST).map(({ unit }) => unit));
        for await (const { unit, isSteep } of costsOf(call, LARGEST, dearest)) {
          if (isSteep) steep.push(`${JSON.stringify(unit)}, ${LARGEST} bytes`);
        }
      }
      expect(steep).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

interface Cost {
  unit: string;
  micros: number;
  /** Grows faster than its text. */
  isSteep: boolean;
}

async function* costsOf(call: Call, bytes: number, units?: ReadonlySet<string>): AsyncGenerator<Cost> {
  const shorter = worstTexts(bytes / TIMES, units);
  for (const [index, { unit, text }] of worstTexts(bytes, units).entries()) {
    const micros = await cpuMicros(() => refusable(() => call(text)));
    const work = (size: number) => refusable(() => call(size === 1 ? (shorter[index]?.text ?? '') : text));
    yield { unit, micros, isSteep: micros > CHEAP_MICROS && (await growthOf(work, 1)) >= LINEAR };
  }
}

function callsOf(entry: Entry): readonly Call[] {
  if (typeof entry === 'string') return [];
  return typeof entry === 'function' ? [entry] : entry;
}

/** To refuse a text is fine; to break is not. */
async function refusable(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
