import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../src/platform/errors/app-error.js';
import { leastCpuMs } from '../support/cpu.js';
import { RULES } from './calls.js';
import type { Call, Entry } from './entry.js';
import { type WorstText, worstTexts } from './worst-texts.js';

const MS_PER_MEGABYTE = 50;
/** Below it, what a computer does beside counts as much as what is measured. */
const LEAST_MS = 25;
const MEGABYTE = 1_000_000;
/** From small to large, so that what is not linear is found before it takes for ever. */
const SIZES = [256, 4_000, 64_000];
/** So many of the texts, those that cost most so far, are tried with a megabyte. */
const WORST = 6;
/** So many examples show what is wrong. */
const ENOUGH = 5;
const TIMEOUT_MS = 60_000;

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
    '%s costs what is fair, however long and bad a text is',
    async (_title, entry) => {
      const { calls, msPerMegabyte } = costsOf(entry);
      const slow: string[] = [];
      const judge = async (call: Call, { unit, text }: WorstText, bytes: number): Promise<number> => {
        const allowedMs = Math.max(LEAST_MS, (msPerMegabyte * bytes) / MEGABYTE);
        const ms = await leastCpuMs(() => refusable(() => call(text)), allowedMs);
        if (ms > allowedMs) slow.push(`${JSON.stringify(unit)}, ${bytes} bytes: ${Math.round(ms)} ms`);
        return ms;
      };
      for (const call of calls) {
        let costs: { unit: string; ms: number }[] = [];
        for (const bytes of SIZES) {
          costs = [];
          for (const worst of worstTexts(bytes)) {
            if (slow.length < ENOUGH) costs.push({ unit: worst.unit, ms: await judge(call, worst, bytes) });
          }
          if (slow.length > 0) break;
        }
        if (slow.length > 0) break;
        costs.sort((a, b) => b.ms - a.ms);
        const dearest = new Set(costs.slice(0, WORST).map(({ unit }) => unit));
        for (const worst of worstTexts(MEGABYTE, dearest)) await judge(call, worst, MEGABYTE);
      }
      expect(slow).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

function costsOf(entry: Entry) {
  if (typeof entry === 'function') return { calls: [entry], msPerMegabyte: MS_PER_MEGABYTE };
  if (typeof entry === 'string') return { calls: [], msPerMegabyte: 0 };
  if (!('calls' in entry)) return { calls: entry, msPerMegabyte: MS_PER_MEGABYTE };
  return { ...entry, calls: typeof entry.calls === 'function' ? [entry.calls] : entry.calls };
}

/** To refuse a text is fine; to break is not. */
async function refusable(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
