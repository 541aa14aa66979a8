import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { CommandMisused } from './commands.errors.js';

export interface CommandLine {
  /** npm run import -- <file> [--replace] */
  usage: string;
  /** Names of the operands, in order; all are required. */
  operands: readonly string[];
  options: ParseArgsOptionsConfig;
}

export interface GivenArguments {
  operands: readonly string[];
  has: (flag: string) => boolean;
  valueOf: (option: string) => string | undefined;
  /** Returns the values of an option that may be given several times. */
  valuesOf: (option: string) => string[];
}

export const asksForHelp = (args: readonly string[]): boolean => {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return options.includes('--help') || options.includes('-h');
};

/** Reads the arguments of a command. @throws CommandMisused */
export function readArguments(args: readonly string[], { usage, operands, options }: CommandLine): GivenArguments {
  const { values, positionals } = parsed(args, usage, options);
  const missing = operands[positionals.length];
  if (missing !== undefined) throw new CommandMisused(`The ${missing} is missing.`, usage);
  const surplus = positionals[operands.length];
  if (surplus !== undefined) throw new CommandMisused(`There is no place for ${JSON.stringify(surplus)}.`, usage);
  if (positionals.includes('')) throw new CommandMisused('An argument is empty.', usage);
  return {
    operands: positionals,
    has: (flag) => values[flag] === true,
    valueOf: (option) => {
      const value = values[option];
      return typeof value === 'string' ? value : undefined;
    },
    valuesOf: (option) => [values[option] ?? []].flat().filter((value) => typeof value === 'string'),
  };
}

function parsed(args: readonly string[], usage: string, options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Keep the first sentence, which describes the problem.
    throw new CommandMisused(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error), usage);
  }
}
