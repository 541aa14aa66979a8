import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './build/packages.js';
import { Misused } from './command-line.js';
import { root } from './launch.js';

/** The optional parts of the service, each a folder with a lock file. */
const OPTIONAL = ['embeddings', 'restate'];

/** Installs optional packages. @throws Misused */
export async function add(names) {
  const unknown = names.find((name) => !OPTIONAL.includes(name) || !existsSync(join(root, name)));
  if (names.length === 0 || unknown !== undefined)
    throw new Misused(`add takes one or more of: ${OPTIONAL.join(', ')}.`);
  try {
    names.forEach(assertWritable);
    await install(names);
    console.log(`${names.join(' and ')} installed.`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** @throws Error when the packages cannot be installed in their folder */
function assertWritable(name) {
  const folder = join(root, name);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The folder ${folder} is not writable (${error.code}), and the packages belong into it. Run this as the user who owns it, or install Agent Service where you may write.`,
      { cause: error },
    );
  }
}
