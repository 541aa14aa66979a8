import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { LoadGenerator } from './load/load-generator.js';
import { comparison, OtherCommit } from './other-commit.js';
import { measureAudit } from './measure-audit.js';
import { type Effort, measureCalls } from './measure-calls.js';
import { measureFairness } from './measure-fairness.js';
import { measureHostile } from './measure-hostile.js';
import { measureKnowledge } from './measure-knowledge.js';
import { measureModules } from './measure-modules.js';
import { measurePolicies } from './measure-policies.js';
import { measureRuns } from './measure-runs.js';
import { measureFanout, measureSessionHeap, measureStart } from './measure-service.js';
import { measureSignIn } from './measure-sign-in.js';
import { budgets, renderResults, type Results } from './results.js';
import { type Subject, SUBJECTS } from './subjects.js';

const THOROUGH: Effort = { rounds: 5, warmUp: 60_000, requests: 30_000, connections: 8 };
const QUICK: Effort = { rounds: 1, warmUp: 10_000, requests: 4_000, connections: 8 };

/** The measurements other than those of the subjects. */
const OTHERS = ['knowledge', 'runs', 'audit', 'fairness', 'policies', 'modules', 'sign-in', 'hostile'];

/**
 * `npm run bench -- [--quick] [--only service,constant,knowledge,runs,audit,fairness,policies,modules,sign-in,hostile]
 * [--passages 1000000] [--rounds 3]`. A missed budget is printed, and is no error. With `--compare <commit>`, the service of that
 * commit is measured interleaved with this one.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      passages: { type: 'string', default: '200000' },
      rounds: { type: 'string' },
      compare: { type: 'string' },
    },
  });
  const passages = Number(values.passages);
  const effort = { ...(values.quick ? QUICK : THOROUGH), ...(values.rounds && { rounds: Number(values.rounds) }) };
  const subjects = wanted(values.only);
  const load = new LoadGenerator();
  if (values.compare !== undefined) return compare(values.compare, subjects, load, effort);
  try {
    const results: Results = {
      calls: await measureCalls(subjects, load, effort, (line) => console.log(line)),
      ...(subjects.some(({ group }) => group === 'service') && (await measureService(load, values.quick))),
      ...(isWanted('knowledge', values.only) && {
        knowledge: await measureKnowledge(values.quick ? 10_000 : passages, 300, values.quick ? 5_000 : 100_000),
      }),
      ...(isWanted('runs', values.only) && { runs: await measureRuns(values.quick ? 2_000 : 10_000, 1_000) }),
      ...(isWanted('audit', values.only) && { audit: await measureAudit(values.quick ? 50_000 : 1_000_000) }),
      ...(isWanted('fairness', values.only) && {
        fairness: await measureFairness(values.quick ? 5 : 20, (line) => console.log(line)),
      }),
      ...(isWanted('policies', values.only) && {
        policies: await measurePolicies(load, effort),
      }),
      ...(isWanted('modules', values.only) && { modules: await measureModules(load, effort) }),
      ...(isWanted('sign-in', values.only) && { signIn: await measureSignIn(load, effort) }),
      ...(isWanted('hostile', values.only) && { hostile: await measureHostile((line) => console.log(line)) }),
    };
    await report(results, values.only === undefined && !values.quick);
  } finally {
    load.stop();
  }
}

/** Measures the calls of this tree and of another commit, interleaved. */
async function compare(ref: string, subjects: readonly Subject[], load: LoadGenerator, effort: Effort): Promise<void> {
  const other = OtherCommit.build(ref);
  try {
    const both = subjects.flatMap((subject) =>
      subject.group === 'service' ? [other.twinOf(subject), subject] : [subject],
    );
    const calls = await measureCalls(both, load, effort, (line) => console.log(line));
    console.log(`\n${renderResults({ calls })}\nNow, in terms of ${ref}:\n${comparison(calls, other).join('\n')}`);
  } finally {
    load.stop();
    other.remove();
  }
}

function wanted(only: string | undefined): readonly Subject[] {
  const groups = only?.split(',');
  const subjects = SUBJECTS.filter(({ group }) => groups?.includes(group) ?? true);
  if (subjects.length === 0 && !OTHERS.some((group) => isWanted(group, only)))
    throw new Error(`--only takes some of ${[...new Set(SUBJECTS.map(({ group }) => group)), ...OTHERS].join(',')}`);
  if (existsSync('bench/node_modules') || subjects.every(({ script }) => script.startsWith('dist/'))) return subjects;
  throw new Error('the peers are not installed: run npm ci --prefix bench, or pass --only service,constant');
}

const isWanted = (group: string, only: string | undefined): boolean => only?.split(',').includes(group) ?? true;

async function measureService(load: LoadGenerator, quick: boolean): Promise<Omit<Results, 'calls'>> {
  return {
    sessionHeapBytes: await measureSessionHeap(load, 2_000),
    fanout: await measureFanout(load, 2_000),
    startMs: await measureStart(quick ? 2 : 5),
  };
}

async function report(results: Results, isComplete: boolean): Promise<void> {
  console.log(`\n${renderResults(results)}`);
  if (isComplete) await writeFile('bench/RESULTS.md', renderResults(results));
  const measured = budgets(results).filter((budget) => budget.measured !== null);
  const missed = measured.filter((budget) => !budget.met);
  for (const { title, measured: found } of missed) console.log(`MISSED: ${title}: ${found}`);
  console.log(`bench: ${measured.length - missed.length} budgets met, ${missed.length} missed`);
}

await main();
