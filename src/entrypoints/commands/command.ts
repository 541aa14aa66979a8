import type { Database } from '../../platform/database/database.js';
import { assertDataIn } from '../../platform/database/data-folder.js';
import { DataFolderLock } from '../../platform/database/data-folder-lock.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { parseEnvironment } from '../../platform/environment/environment.js';
import { IS_CLONE } from '../../platform/environment/project-root.js';
import { AppError } from '../../platform/errors/app-error.js';
import { asksForHelp, type CommandLine, type GivenArguments, readArguments } from './command-line.rules.js';
import { CommandMisused } from './commands.errors.js';
import { usageAsCalled } from './usage.rules.js';

import 'reflect-metadata';

const FAILED = 1;
const MISUSED = 2;

interface DatabaseNeeds {
  /** True when it must exist; by default, the embedded one is created. */
  mustExist?: boolean;
  /** True when no service may use the embedded one meanwhile, because the service would keep outdated data in memory. */
  isAlone?: boolean;
  /** Checks the arguments before the database is opened or created. */
  check?: (given: GivenArguments) => Promise<void>;
  /** Where the result is printed; stdout by default. */
  output?: NodeJS.WriteStream;
}

/**
 * Runs a command on the database that the environment names, and prints its result; prints expected errors without a stack trace.
 * The exit code is 2 for wrong arguments, and 1 for any other error.
 */
export function runOnDatabase(
  line: CommandLine,
  work: (database: Database, given: GivenArguments) => Promise<string>,
  { mustExist = false, isAlone = false, check, output }: DatabaseNeeds = {},
): Promise<void> {
  const onDatabase = async (given: GivenArguments) => {
    const environment = parseEnvironment(process.env);
    if (mustExist) assertDataIn(environment);
    await check?.(given);
    const lock = isAlone ? await DataFolderLock.take(environment, 0) : null;
    const database = await openDatabase(environment);
    try {
      return await work(database, given);
    } finally {
      await database.destroy();
      lock?.release();
    }
  };
  return run(line, onDatabase, output);
}

/** Like `runOnDatabase`, without a database. */
export async function run(
  line: CommandLine,
  work: (given: GivenArguments) => Promise<string>,
  output: NodeJS.WriteStream = process.stdout,
): Promise<void> {
  // A reader such as `head` may end before the work is done.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const args = process.argv.slice(3);
  if (asksForHelp(args)) return console.log(`Usage: ${usageAsCalled(line.usage, IS_CLONE)}`);
  try {
    output.write(`${await work(readArguments(args, line))}\n`);
  } catch (error) {
    console.error(error instanceof AppError ? textOf(error) : isFileError(error) ? error.message : error);
    process.exitCode = error instanceof CommandMisused ? MISUSED : FAILED;
  }
}

/** Returns the message of an error, which names the first mistake, and the other mistakes, one line each. */
const textOf = ({ message, fields = [] }: AppError): string =>
  [message, ...fields.slice(1).map((field) => `${field.path}: ${field.message}`)].join('\n');

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

const BAR = 30;

/** Shows progress: as a moving bar on a terminal, or as one line for each change when the output is not a terminal. */
export class ProgressLine {
  private done = 0;

  constructor(
    private readonly out: NodeJS.WriteStream,
    private readonly total: number,
  ) {}

  advance(name: string, outcome: string): void {
    this.done += 1;
    if (!this.out.isTTY) {
      if (outcome !== 'unchanged') this.out.write(`${name}: ${outcome}\n`);
      return;
    }
    const filled = Math.round((this.done / this.total) * BAR);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${this.done}/${this.total} `;
    const failure = outcome.startsWith('failed') ? `\r\x1b[K${name}: ${outcome}\n` : '';
    this.out.write(`${failure}\r\x1b[K${bar}${name.slice(-Math.max(0, this.out.columns - bar.length - 1))}`);
  }

  end(): void {
    if (this.out.isTTY && this.total > 0) this.out.write('\r\x1b[K');
  }
}
