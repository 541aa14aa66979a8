// Plain JavaScript that any Node can run.
import { parseArgs } from 'node:util';

/** The options of a start, with the variable that each sets, and their descriptions. */
const OPTIONS = {
  port: { variable: 'PORT', value: '<port>', says: 'listen on this port (5001)' },
  host: { variable: 'HOST', value: '<host>', says: 'listen on this address (127.0.0.1); 0.0.0.0 for all' },
  data: { variable: 'DATA_DIR', value: '<folder>', says: 'keep the data there (~/.agent-service)' },
  'public-url': { variable: 'PUBLIC_URL', value: '<url>', says: 'the address under which clients reach the service' },
};
const COMMANDS = {
  migrate: 'bring the database up to date',
  export: 'write all data to a file',
  import: 'read the data of an export',
  'knowledge-import': 'import a folder of documents',
  'audit-verify': 'check the audit log',
  'skill-new': 'write an example of a skill module',
  'skill-test': 'run the tests of a skill module',
  'skill-try': 'check a skill module, and call its skill',
  add: 'install what is optional: embeddings, restate',
};
/** The options that commands share; all others are specific to a command. */
const DATA = /^--data(?:=(.*))?$/s;

export class Misused extends Error {}

/**
 * Parses the arguments of `agent-service`: the command, its arguments, and the environment variables to set.
 * @throws Misused
 */
export function readCommandLine(args) {
  const [first = ''] = args;
  if (first === 'add' && args.includes('--help')) return { command: 'help', args: [], variables: {} };
  if (Object.hasOwn(COMMANDS, first)) return { command: first, ...withoutData(args.slice(1)) };
  if (first && !first.startsWith('-')) throw new Misused(`There is no command ${JSON.stringify(first)}.`);
  const { help, version, ...given } = parse(args);
  if (help || version) return { command: help ? 'help' : 'version', args: [], variables: {} };
  const variables = Object.entries(given).map(([name, text]) => [OPTIONS[name].variable, text]);
  return { command: 'start', args: [], variables: Object.fromEntries(variables) };
}

function parse(args) {
  const text = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, { type: 'string' }]));
  const options = { ...text, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } };
  let values;
  try {
    ({ values } = parseArgs({ args, options, strict: true }));
  } catch (error) {
    throw new Misused(`${error.message.split('. ')[0].replace(/\.$/, '')}.`);
  }
  const empty = Object.keys(OPTIONS).find((name) => values[name] === '');
  if (empty) throw new Misused(`The value of --${empty} is empty.`);
  return values;
}

function withoutData(args) {
  const at = args.findIndex((arg) => DATA.test(arg));
  if (at < 0) return { args, variables: {} };
  const [, inline] = DATA.exec(args[at]);
  const folder = inline ?? args[at + 1];
  if (!folder) throw new Misused('The value of --data is missing.');
  const rest = args.toSpliced(at, inline === undefined ? 2 : 1);
  return { args: rest, variables: { DATA_DIR: folder } };
}

export function help() {
  const list = (entries) => entries.map(([name, says]) => `  ${name.padEnd(22)} ${says}`);
  return [
    'Usage: agent-service [options]           start the service',
    '       agent-service <command> [--data <folder>] [arguments]',
    '',
    'Options',
    ...list(Object.entries(OPTIONS).map(([name, { value, says }]) => [`--${name} ${value}`, says])),
    ...list([
      ['--help', 'show this'],
      ['--version', 'show the version'],
    ]),
    '',
    'Commands',
    ...list(Object.entries(COMMANDS)),
    '',
    'agent-service <command> --help says which arguments a command takes.',
    'All other settings are environment variables, as in the manual.',
  ].join('\n');
}
