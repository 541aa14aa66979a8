import { availableParallelism, type as osType } from 'node:os';
import type { Damage } from '../test/hostile/siege.js';
import type { AuditCost } from './measure-audit.js';
import type { CallCost } from './measure-calls.js';
import type { KnowledgeCost } from './measure-knowledge.js';
import type { Unfairness } from './measure-fairness.js';
import type { ModuleCost } from './measure-modules.js';
import type { SignInCost } from './measure-sign-in.js';
import type { PolicyCost } from './measure-policies.js';
import type { RunCost } from './measure-runs.js';
import type { Fanout } from './measure-service.js';
import { CONSTANT, MCP_NEST, SDK, SERVICE, type Subject } from './subjects.js';

export interface Results {
  calls: readonly CallCost[];
  sessionHeapBytes?: number;
  fanout?: Fanout;
  startMs?: number;
  knowledge?: readonly KnowledgeCost[];
  runs?: readonly RunCost[];
  audit?: readonly AuditCost[];
  fairness?: readonly Unfairness[];
  policies?: PolicyCost;
  modules?: ModuleCost;
  signIn?: SignInCost;
  hostile?: readonly Damage[];
}

export interface Budget {
  title: string;
  /** Null when this run did not measure it. */
  measured: string | null;
  met: boolean;
}

/** The budgets by section, and whether this run met them. */
export function budgets(results: Results): Budget[] {
  const { sessionHeapBytes: heap, fanout, startMs } = results;
  const ratio = (title: string, subject: Subject, than: Subject, limit: number): Budget => {
    const value = cpuRatio(results.calls, subject, than);
    return { title, measured: value === null ? null : `${value.toFixed(2)} x`, met: value !== null && value <= limit };
  };
  return [
    ...Object.values(SERVICE).map((subject) =>
      ratio(`${subject.title}: at most 2.0 x the constant route`, subject, CONSTANT, 2),
    ),
    ratio('2025 session: at most a quarter of MCP-Nest', SERVICE.session10, MCP_NEST.session, 0.25),
    ratio('2026-07-28: at most a quarter of MCP-Nest', SERVICE.modern10, MCP_NEST.modern, 0.25),
    ratio('2025 session: at most a quarter of the SDK session transport', SERVICE.session10, SDK.session, 0.25),
    ratio('2026-07-28: at most a quarter of the SDK handler', SERVICE.modern10, SDK.modern, 0.25),
    {
      title: 'a warm 2025 session: at most 12 KB of heap',
      measured: heap === undefined ? null : `${(heap / 1_024).toFixed(1)} KB`,
      met: heap !== undefined && heap <= 12 * 1_024,
    },
    {
      title: 'list_changed on every open stream, the last within 250 ms',
      measured: fanout ? `${fanout.reached} of ${fanout.streams} streams, the last after ${fanout.lastMs} ms` : null,
      met: fanout !== undefined && fanout.reached === fanout.streams && fanout.lastMs <= 250,
    },
    {
      title: 'start to mcp: running in under 1 s',
      measured: startMs === undefined ? null : `${startMs.toFixed(0)} ms`,
      met: startMs !== undefined && startMs < 1_000,
    },
    ...KNOWLEDGE_BUDGETS.flatMap((budget) => knowledgeBudgets(budget, results.knowledge ?? [])),
    ...RUN_BUDGETS.flatMap((budget) => runBudgets(budget, results.runs ?? [])),
    ...policyBudgets(results.policies),
    ...moduleBudgets(results.modules),
    signInBudget(results.signIn),
    ...(results.fairness ?? []).map(fairnessBudget),
    ...hostileBudgets(results.hostile),
  ];
}

/** With 200,000 passages. */
const KNOWLEDGE_BUDGETS = [
  { database: 'SQLite', searchMs: 50, stallMs: 20, savesPerSecond: 1_000 },
  { database: 'PostgreSQL', searchMs: 50, stallMs: 20, savesPerSecond: 1_000 },
];

function knowledgeBudgets(limits: (typeof KNOWLEDGE_BUDGETS)[number], costs: readonly KnowledgeCost[]): Budget[] {
  const { database, searchMs, stallMs, savesPerSecond } = limits;
  const cost = costs.find((candidate) => candidate.database === database);
  const stall = cost && Math.max(...Object.values(cost.longestStallMs));
  return [
    {
      title: `${database}: searches in under ${searchMs} ms (p95, with and without tags)`,
      measured: cost ? `${cost.search.p95Ms.toFixed(1)} and ${cost.taggedSearch.p95Ms.toFixed(1)} ms` : null,
      met: cost !== undefined && Math.max(cost.search.p95Ms, cost.taggedSearch.p95Ms) < searchMs,
    },
    {
      title: `${database}: the event loop is never blocked for ${stallMs} ms`,
      measured: stall === undefined ? null : `${stall.toFixed(0)} ms`,
      met: stall !== undefined && stall < stallMs,
    },
    {
      title: `${database}: at least ${savesPerSecond.toLocaleString('en')} saves a second`,
      measured: cost ? `${cost.savesPerSecond.toFixed(0)}/s` : null,
      met: cost !== undefined && cost.savesPerSecond >= savesPerSecond,
    },
    ...(cost === undefined || cost.savedKilobytes === null ? [] : [savedBudget(database, cost.savedKilobytes)]),
  ];
}

const savedBudget = (database: string, kilobytes: number): Budget => ({
  title: `${database}: at most 40 kB written for 1 kB saved`,
  measured: `${kilobytes.toFixed(0)} kB`,
  met: kilobytes <= 40,
});

/** A workflow of 3 trivial steps, with 10,000 finished and 1,000 waiting runs in the tables. */
const RUN_BUDGETS = [
  { database: 'SQLite', runMs: 15, runsPerSecond: 100 },
  { database: 'PostgreSQL', runMs: 25, runsPerSecond: 0 },
];

function runBudgets(
  { database, runMs, runsPerSecond }: (typeof RUN_BUDGETS)[number],
  costs: readonly RunCost[],
): Budget[] {
  const cost = costs.find((candidate) => candidate.database === database);
  const rate: Budget = {
    title: `${database}: ${runsPerSecond} runs a second`,
    measured: cost ? `${cost.runsPerSecond.toFixed(0)}/s` : null,
    met: cost !== undefined && cost.runsPerSecond >= runsPerSecond,
  };
  const latency: Budget = {
    title: `${database}: a workflow of 3 trivial steps in under ${runMs} ms (p50)`,
    measured: cost ? `${cost.filledP50Ms.toFixed(1)} ms` : null,
    met: cost !== undefined && cost.filledP50Ms < runMs,
  };
  const turns = (cost?.woken ?? []).map(({ busiestTurnMs }) => busiestTurnMs);
  const turn: Budget = {
    title: `${database}: no turn over 20 ms of CPU while many runs resume at once`,
    measured: cost ? `${Math.max(...turns).toFixed(0)} ms` : null,
    met: cost !== undefined && Math.max(...turns) < 20,
  };
  return runsPerSecond === 0 ? [latency, turn] : [latency, rate, turn];
}

function policyBudgets(cost: PolicyCost | undefined): Budget[] {
  const ratio = cost ? cost.plainMicros / cost.constantMicros : NaN;
  return [
    {
      title:
        '200 policies, 50 clients, audit log: a call that no policy decides by its arguments at most 1.5 x the constant route',
      measured: cost ? `${ratio.toFixed(2)} x` : null,
      met: ratio <= 1.5,
    },
    {
      title: '200 policies: filtering a list of 1,000 tools, after the first, in under 2 ms (p50)',
      measured: cost ? `${cost.laterListMs.toFixed(2)} ms` : null,
      met: cost !== undefined && cost.laterListMs < 2,
    },
  ];
}

function moduleBudgets(cost: ModuleCost | undefined): Budget[] {
  const ratio = cost ? cost.moduleMicros / cost.builtInMicros : NaN;
  return [
    {
      title: 'a call of a skill module: at most 1.5 x the CPU of the service for a built-in one',
      measured: cost ? `${ratio.toFixed(2)} x` : null,
      met: ratio <= 1.5,
    },
    {
      title: 'a skill module that was called: at most 10 MB',
      measured: cost ? `${cost.megabytesPerModule.toFixed(1)} MB` : null,
      met: cost !== undefined && cost.megabytesPerModule <= 10,
    },
  ];
}

function signInBudget(cost: SignInCost | undefined): Budget {
  const ratio = cost ? cost.tokenMicros / cost.keyMicros : NaN;
  return {
    title: 'a call with the token of a person: at most 1.1 x the CPU of one with a key',
    measured: cost ? `${ratio.toFixed(2)} x` : null,
    met: ratio <= 1.1,
  };
}

function fairnessBudget({ flood, beforeMs, duringMs }: Unfairness): Budget {
  const ratio = duringMs / beforeMs;
  return {
    title: `a flood of ${flood}: the p99 of others at most 2 x`,
    measured: `${ratio.toFixed(1)} x`,
    met: ratio <= 2,
  };
}

function hostileBudgets(damages: readonly Damage[] = []): Budget[] {
  const most = (value: (damage: Damage) => number) => Math.max(...damages.map(value));
  const [healthMs, megabytes] = [most(({ healthMs: ms }) => ms), most(({ most: used }) => used)];
  const measured = (text: string) => (damages.length === 0 ? null : text);
  return [
    {
      title: 'under attack: /health answers others within 1 s',
      measured: measured(`${healthMs.toFixed(0)} ms`),
      met: healthMs <= 1_000,
    },
    {
      title: 'under attack: at most 600 MB of memory',
      measured: measured(`${megabytes.toFixed(0)} MB`),
      met: megabytes <= 600,
    },
  ];
}

export function renderResults(results: Results): string {
  const { cores, node, date } = machine();
  return `# Benchmark results

${cores} cores, ${osType()}, Node ${node}, ${date}. Server CPU is the CPU time of the process under test per
request; the load comes from another process. Each number is the median of interleaved rounds. Compare only ratios within one run.

## A call of a trivial tool

${markdownTable(callRows(results.calls))}

## The knowledge base

${results.knowledge ? markdownTable(knowledgeRows(results.knowledge)) : 'not measured'}

## Workflows

A workflow of 3 trivial steps, from start to result, with empty tables and with many runs.

${results.runs ? markdownTable(runRows(results.runs)) : 'not measured'}

Waiting runs that all resume at the same time.

${results.runs ? markdownTable(wakingRows(results.runs)) : 'not measured'}

## The audit log

CPU of all threads, for calls by 50 clients in batches of 1,000 entries, and for pages of 50 entries.

${results.audit ? markdownTable(auditRows(results.audit)) : 'not measured'}

## Policies

With 200 policies, 50 of which read arguments, 50 clients, and the audit log enabled. Lists have 1,000 tools.

${results.policies ? markdownTable(policyRows(results.policies)) : 'not measured'}

## Skill modules

50 modules are called once each, then one of them repeatedly.

${results.modules ? markdownTable(moduleRows(results.modules)) : 'not measured'}

## Signing in

${results.signIn ? markdownTable(signInRows(results.signIn)) : 'not measured'}

## Fairness

Five clients call \`system_info\` 20 times a second each, while a sixth floods the service and ignores every refusal.

${results.fairness ? markdownTable(fairnessRows(results.fairness)) : 'not measured'}

## Under attack

The longest time that \`/health/live\` took to answer other clients during an attack, and resident memory, each in a new process.

${results.hostile ? markdownTable(hostileRows(results.hostile)) : 'not measured'}

## Budgets

${markdownTable([['budget', 'measured', ''], ...budgets(results).map((budget) => [budget.title, budget.measured ?? 'not measured', verdict(budget)])])}
`;
}

function verdict({ measured, met }: Budget): string {
  if (measured === null) return '-';
  return met ? 'met' : '**MISSED**';
}

function callRows(calls: readonly CallCost[]): string[][] {
  return [
    ['server', 'CPU us/request', 'x constant route', 'requests/s', 'p50 ms', 'p99 ms'],
    ...calls.map(({ subject, cpuMicros, perSecond, p50Ms, p99Ms }) => {
      const ratio = cpuRatio(calls, subject, CONSTANT)?.toFixed(2) ?? '-';
      return [subject.title, cpuMicros.toFixed(1), ratio, perSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2)];
    }),
  ];
}

function knowledgeRows(costs: readonly KnowledgeCost[]): string[][] {
  const inBoth = ({ p50Ms, p95Ms }: KnowledgeCost['search']) => `${p50Ms.toFixed(1)} / ${p95Ms.toFixed(1)}`;
  const inPhases = ({ importing, searching, saving }: KnowledgeCost['longestStallMs']) =>
    [importing, searching, saving].map((ms) => ms.toFixed(0)).join(' / ');
  return [
    [
      ...[
        'database',
        'passages',
        'search p50 / p95 ms',
        'with a tag',
        'memory search',
        'saves/s',
        'kB/save',
        'passages imported/s',
      ],
      ...[
        'list p50 ms',
        'read p50 ms',
        'stall importing / searching / saving ms',
        'busiest turn, CPU ms',
        'disk MB',
        'resident MB',
      ],
    ],
    ...costs.map((cost) => [
      cost.database,
      cost.passages.toLocaleString('en'),
      inBoth(cost.search),
      inBoth(cost.taggedSearch),
      `${inBoth(cost.memorySearch)} (${cost.memoryEntries.toLocaleString('en')})`,
      cost.savesPerSecond.toFixed(0),
      cost.savedKilobytes?.toFixed(0) ?? '',
      cost.importedPerSecond.toFixed(0),
      cost.listP50Ms.toFixed(1),
      cost.readP50Ms.toFixed(2),
      inPhases(cost.longestStallMs),
      inPhases(cost.busiestTurnMs),
      cost.diskMegabytes?.toFixed(0) ?? '',
      cost.residentMegabytes.toFixed(0),
    ]),
  ];
}

function auditRows(costs: readonly AuditCost[]): string[][] {
  return [
    ['database', 'entries', 'us/entry', 'bytes/entry', 'newest ms', 'of one client ms', 'two filters ms', 'text ms'],
    ...costs.map((cost) => [
      cost.database,
      cost.entries.toLocaleString('en'),
      cost.microsPerEntry.toFixed(1),
      cost.bytesPerEntry.toFixed(0),
      cost.newestMs.toFixed(1),
      cost.clientMs.toFixed(1),
      cost.twoFiltersMs.toFixed(1),
      cost.textMs.toFixed(1),
    ]),
  ];
}

function runRows(costs: readonly RunCost[]): string[][] {
  return [
    ['database', 'p50 ms, empty', 'finished', 'waiting', 'p50 ms', 'runs/s', 'poll p50 ms', 'list p50 ms'],
    ...costs.map((cost) => [
      cost.database,
      cost.emptyP50Ms.toFixed(1),
      cost.finished.toLocaleString('en'),
      cost.waiting.toLocaleString('en'),
      cost.filledP50Ms.toFixed(1),
      cost.runsPerSecond.toFixed(0),
      cost.lookP50Ms.toFixed(2),
      cost.listP50Ms.toFixed(2),
    ]),
  ];
}

function wakingRows(costs: readonly RunCost[]): string[][] {
  return [
    ['database', 'runs', 'by', 'runs/s', 'busiest turn, CPU ms'],
    ...costs.flatMap(({ database, finished, woken }) =>
      woken.map(({ by, runsPerSecond, busiestTurnMs }) => [
        database,
        finished.toLocaleString('en'),
        by,
        runsPerSecond.toFixed(0),
        busiestTurnMs.toFixed(0),
      ]),
    ),
  ];
}

function policyRows(cost: PolicyCost): string[][] {
  const micros = (value: number) => [value.toFixed(1), (value / cost.constantMicros).toFixed(2)];
  return [
    ['what', 'CPU us/request', 'x constant route', 'ms'],
    ['constant route', ...micros(cost.constantMicros), ''],
    ['a call that no policy decides by its arguments', ...micros(cost.plainMicros), ''],
    ['a call that 50 policies decide by its arguments', ...micros(cost.withArgumentsMicros), ''],
    ['filtering a list for the first time', '', '', cost.firstListMs.toFixed(2)],
    ['filtering a list later', '', '', cost.laterListMs.toFixed(2)],
  ];
}

function moduleRows(cost: ModuleCost): string[][] {
  return [
    ['what', ''],
    ['a call of a built-in tool, CPU us', cost.builtInMicros.toFixed(1)],
    ['a call of a module, CPU us of the service', cost.moduleMicros.toFixed(1)],
    ['a call of a module, CPU us of the skill host', cost.hostMicros.toFixed(1)],
    ['the first call of a module, ms', cost.firstCallMs.toFixed(0)],
    ['the skill host with one module, MB', cost.hostMegabytes.toFixed(0)],
    ['each further module, MB', cost.megabytesPerModule.toFixed(1)],
  ];
}

const signInRows = ({ keyMicros, tokenMicros }: SignInCost): string[][] => [
  ['a call with', 'CPU us/request'],
  ['a key', keyMicros.toFixed(1)],
  ['the access token of a person', tokenMicros.toFixed(1)],
];

function fairnessRows(found: readonly Unfairness[]): string[][] {
  return [
    ['flood of one client', 'p99 of others before, ms', 'p99 during, ms', 'ratio', 'flood served/s', 'refused/s'],
    ...found.map(({ flood, beforeMs, duringMs, floodPerSecond, refusedPerSecond }) => [
      flood,
      beforeMs.toFixed(2),
      duringMs.toFixed(2),
      (duringMs / beforeMs).toFixed(1),
      floodPerSecond.toFixed(0),
      refusedPerSecond.toFixed(0),
    ]),
  ];
}

function hostileRows(damages: readonly Damage[]): string[][] {
  return [
    ['attack', 'seconds', '/health ms', 'MB before', 'MB at most', 'MB after'],
    ...damages.map(({ attack, seconds, healthMs, before, most, after }) => [
      attack,
      seconds.toFixed(1),
      ...[healthMs, before, most, after].map((value) => value.toFixed(0)),
    ]),
  ];
}

function cpuRatio(calls: readonly CallCost[], subject: Subject, than: Subject): number | null {
  const cost = calls.find((call) => call.subject === subject);
  const base = calls.find((call) => call.subject === than);
  return cost && base ? cost.cpuMicros / base.cpuMicros : null;
}

function machine() {
  return { cores: availableParallelism(), node: process.versions.node, date: new Date().toISOString().slice(0, 10) };
}

function markdownTable([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
