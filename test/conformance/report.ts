import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Suite } from './suites.js';

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  description?: string;
  errorMessage?: string;
}

export interface ScenarioResult {
  name: string;
  scored: boolean;
  checks: Check[];
}

export interface SuiteResult {
  suite: Suite;
  scenarios: ScenarioResult[];
}

/** Folders are named `server-<scenario>-<time>` or `authorization-<scenario>-<time>`, with a checks.json in each. */
const FOLDER = /^(?:server|authorization)-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/** @param scored names of the scored scenarios; null = all */
export async function readResults(folder: string, scored: ReadonlySet<string> | null): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const entry of (await readdir(folder)).sort()) {
    const name = FOLDER.exec(entry)?.[1];
    if (name === undefined) continue;
    results.push({ name, scored: scored?.has(name) ?? true, checks: await readChecks(join(folder, entry)) });
  }
  return results;
}

/** An aborted scenario leaves no file behind. */
async function readChecks(folder: string): Promise<Check[]> {
  try {
    return JSON.parse(await readFile(join(folder, 'checks.json'), 'utf8')) as Check[];
  } catch {
    return [{ id: 'no-checks', status: 'FAILURE', errorMessage: 'the scenario broke off: run it alone to see why' }];
  }
}

/** Returns why a suite failed; empty when it passed. */
export function shortcomings({ suite, scenarios }: SuiteResult): string[] {
  const scored = scenarios.filter((scenario) => scenario.scored);
  const passing = scored.filter(isOk);
  const checks = count(scenarios, 'SUCCESS');
  const missing = suite.alsoRequired.filter((name) => !scenarios.some((one) => one.name === name && isOk(one)));
  return [
    ...(passing.length < suite.scenarios ? [`${passing.length} of ${suite.scenarios} scored scenarios are ok`] : []),
    ...(passing.length < scored.length ? [`${count(scored, 'FAILURE')} checks of scored scenarios failed`] : []),
    ...(missing.length > 0 ? [`not ok, though required: ${missing.join(', ')}`] : []),
    ...(checks < suite.minChecksPassed ? [`${checks} checks passed, at least ${suite.minChecksPassed} must`] : []),
  ];
}

export function renderReport(results: readonly SuiteResult[]): string {
  const rows = results.flatMap(({ suite, scenarios }) => {
    const scored = scenarios.filter((scenario) => scenario.scored);
    const unscored = scenarios.filter((scenario) => !scenario.scored);
    return [row(suite.title, scored), ...(suite.hasUnscored ? [row('  not scored', unscored)] : [])];
  });
  return [
    table([['suite', 'scenarios ok', 'checks passed', 'failed', 'warnings'], ...rows]),
    ...results.flatMap(listing),
  ].join('\n');
}

function row(title: string, scenarios: readonly ScenarioResult[]): string[] {
  const ok = scenarios.filter(isOk).length;
  const counts = (['SUCCESS', 'FAILURE', 'WARNING'] as const).map((status) => String(count(scenarios, status)));
  return [title, `${ok}/${scenarios.length}`, ...counts];
}

function listing({ suite, scenarios }: SuiteResult): string[] {
  const lines = scenarios.flatMap(({ name, scored, checks }) =>
    checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map((check) => {
        const why = (check.errorMessage ?? check.description ?? '').replaceAll(/\s+/g, ' ').slice(0, 240);
        return `  ${check.status.toLowerCase()} ${name}${scored ? '' : ' (not scored)'}: ${check.id}: ${why}`;
      }),
  );
  return lines.length > 0 ? ['', suite.title, ...lines] : [];
}

const isOk = (scenario: ScenarioResult): boolean => count([scenario], 'FAILURE') === 0;

function count(scenarios: readonly ScenarioResult[], status: Check['status']): number {
  return scenarios.flatMap(({ checks }) => checks).filter((check) => check.status === status).length;
}

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}
