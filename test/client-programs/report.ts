import { offeredTools, seenParts, showsInstructions } from './checks.js';
import type { Program } from './programs.js';
import type { Trial } from './trial.js';

/** A program with its test result, or one that was skipped because it is not installed. */
export interface Row {
  program: Program;
  version: string;
  /** null = not installed */
  trial: Trial | null;
  failures: readonly string[];
}

const HEADINGS = [
  'program',
  'version',
  'protocol',
  'tools',
  'instructions',
  'calls',
  'results shown as',
  'a wrong key',
  'failures',
];

export function renderReport(rows: readonly Row[]): string {
  const failed = rows.flatMap(({ program, failures }) => failures.map((failure) => `${program.name}: ${failure}`));
  const skipped = rows.filter(({ trial }) => trial === null).map(({ program }) => program.name);
  const wanted = rows.flatMap(({ program, trial }) =>
    trial && trial.refusedHosts.length > 0 ? [`${program.name} wanted to reach ${trial.refusedHosts.join(', ')}`] : [],
  );
  const passed = rows.filter(({ trial, failures }) => trial && failures.length === 0).length;
  return [
    table([HEADINGS, ...rows.map(cells)]),
    '',
    ...wanted,
    ...failed,
    ...(skipped.length > 0 ? [`not tried, because they are not installed: ${skipped.join(', ')}`] : []),
    `clients: ${passed} passed, ${rows.length - passed - skipped.length} failed, ${skipped.length} not tried`,
  ].join('\n');
}

function cells({ program, version, trial, failures }: Row): string[] {
  if (!trial) return [program.name, version, 'not installed: not tried', ...HEADINGS.slice(3).map(() => '-')];
  const tools = trial.service.tools.length;
  const seen = trial.calls.filter(({ shown }) => shown !== null).length;
  return [
    program.name,
    version,
    trial.protocol || 'not connected',
    `${offeredTools(trial).length}/${tools}${trial.searched === '' ? '' : ' by search'}`,
    showsInstructions(trial) ? 'shown' : 'not shown',
    `${seen}/${trial.scripted}`,
    shownAs(trial),
    program.wrongKeyMessage,
    String(failures.length),
  ];
}

function shownAs(trial: Trial): string {
  const parts = seenParts(trial);
  const text = parts.filter((part) => part.text).length;
  const structured = parts.filter((part) => part.structured).length;
  // The text may be only a hint.
  if (structured === parts.length) return text === parts.length ? 'both' : 'structured';
  if (text === parts.length && structured === 0) return 'text';
  return `text ${text}, structured ${structured} of ${parts.length}`;
}

function table(rows: readonly string[][]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}
