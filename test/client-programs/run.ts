import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failuresOf } from './checks.js';
import { type Program, PROGRAMS } from './programs.js';
import { renderReport, type Row } from './report.js';
import { SIGNING_PROGRAMS, type SigningProgram } from './sign-in/programs.js';
import { STEPS, trySigningIn } from './sign-in/trial.js';
import { PACKAGES, type SetUp, tryProgram } from './trial.js';

/** Tests the programs whose names contain one of the arguments (default: all), one after the other. */
async function main(wanted: readonly string[]): Promise<void> {
  const isWanted = ({ name }: SetUp) =>
    wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase()));
  const troubleshooting = await readFile('docs/troubleshooting.md', 'utf8');
  const rows: Row[] = [];
  for (const program of PROGRAMS.filter(isWanted)) rows.push(await rowOf(program, troubleshooting));
  console.log(renderReport(rows));
  let isSignedIn = true;
  for (const signing of SIGNING_PROGRAMS.filter(({ program }) => isWanted(program))) {
    isSignedIn = (await signsIn(signing)) && isSignedIn;
  }
  // Without any installed program, nothing was tested.
  const isShown = rows.some(({ trial }) => trial !== null) && rows.every(({ failures }) => failures.length === 0);
  if (!isShown || !isSignedIn) process.exitCode = 1;
}

async function rowOf(program: Program, troubleshooting: string): Promise<Row> {
  const version = await versionOf(program);
  if (!existsSync(join(PACKAGES, program.file))) return { program, version, trial: null, failures: [] };
  console.log(`${program.name} ${version} ...`);
  const trial = await tryProgram(program);
  return { program, version, trial, failures: failuresOf(program, trial, troubleshooting) };
}

/** Tests signing in with a program, and reports the result. */
async function signsIn(signing: SigningProgram): Promise<boolean> {
  const { program } = signing;
  const title = `signing in with ${program.name} ${await versionOf(program)}`;
  const isInstalled = existsSync(join(PACKAGES, program.file));
  const failures = isInstalled ? await trySigningIn(signing) : {};
  const results = STEPS.map((step) => `${step} ${failures[step] === undefined ? 'ok' : 'FAILED'}`);
  console.log(`${title}: ${isInstalled ? results.join(', ') : 'not installed: not tried'}`);
  for (const [step, failure] of Object.entries(failures)) console.log(`  ${step}: ${failure}`);
  return Object.keys(failures).length === 0;
}

async function versionOf({ package: name }: SetUp): Promise<string> {
  const text = await readFile('test/client-programs/package.json', 'utf8');
  const { optionalDependencies } = JSON.parse(text) as { optionalDependencies: Record<string, string> };
  return optionalDependencies[name] ?? '';
}

await main(process.argv.slice(2));
