import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failuresOf } from './checks.js';
import { type Program, PROGRAMS } from './programs.js';
import { renderReport, type Row } from './report.js';
import { PACKAGES, tryProgram } from './trial.js';

/** Tries the programs whose names contain one of the arguments, or all, one after the other. */
async function main(wanted: readonly string[]): Promise<void> {
  const isWanted = ({ name }: Program) =>
    wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase()));
  const troubleshooting = await readFile('docs/troubleshooting.md', 'utf8');
  const rows: Row[] = [];
  for (const program of PROGRAMS.filter(isWanted)) rows.push(await rowOf(program, troubleshooting));
  console.log(renderReport(rows));
  // Where none is installed, nothing was shown.
  const isShown = rows.some(({ trial }) => trial !== null) && rows.every(({ failures }) => failures.length === 0);
  if (!isShown) process.exitCode = 1;
}

async function rowOf(program: Program, troubleshooting: string): Promise<Row> {
  const version = await versionOf(program);
  if (!existsSync(join(PACKAGES, program.file))) return { program, version, trial: null, failures: [] };
  console.log(`${program.name} ${version} ...`);
  const trial = await tryProgram(program);
  return { program, version, trial, failures: failuresOf(program, trial, troubleshooting) };
}

async function versionOf({ package: name }: Program): Promise<string> {
  const text = await readFile('test/client-programs/package.json', 'utf8');
  const { optionalDependencies } = JSON.parse(text) as { optionalDependencies: Record<string, string> };
  return optionalDependencies[name] ?? '';
}

await main(process.argv.slice(2));
