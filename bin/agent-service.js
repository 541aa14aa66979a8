#!/usr/bin/env node
// The command of the package. Plain JavaScript that any Node can run.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { add } from './add.js';
import { help, Misused, readCommandLine } from './command-line.js';
import { isClone, launch, version } from './launch.js';

const MISUSED = 2;

try {
  await run(readCommandLine(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Misused)) throw error;
  console.error(`${error.message}\n\n${help()}`);
  process.exitCode = MISUSED;
}

async function run({ command, args, variables }) {
  if (command === 'help') return console.log(help());
  if (command === 'version') return console.log(version);
  if (command === 'add') return add(args);
  Object.assign(process.env, homeOf(variables), variables);
  if (command === 'start') return import('./start.js');
  process.argv.splice(2, Infinity, command, ...args);
  return launch(`entrypoints/commands/${command}.js`);
}

/** Where an installed package stores its data, because it may be started in any folder. A clone stores it in its own folder. */
function homeOf({ DATA_DIR: given = process.env.DATA_DIR }) {
  if (isClone) return {};
  const DATA_DIR = given || join(home(), '.agent-service');
  const folderOf = (name, folder) => process.env[name] || join(DATA_DIR, folder);
  return {
    DATA_DIR,
    WORKFLOWS_DIR: folderOf('WORKFLOWS_DIR', 'workflows'),
    SKILLS_DIR: folderOf('SKILLS_DIR', 'skills'),
  };
}

/** @throws Misused when this user has no home folder, as in a container with a user of its own */
function home() {
  let folder = '';
  try {
    folder = homedir();
  } catch {
    // HOME is not set, and the system does not know the user.
  }
  if (folder === '')
    throw new Misused('This user has no home folder: name a folder for the data, with --data or DATA_DIR.');
  return folder;
}
