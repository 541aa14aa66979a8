import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { DataDirNotWritable } from './database.errors.js';

const DATABASE = 'agent-service.db';
/** Files of the same folder that hold what the database holds, or open it. SQLite makes its own as its database is. */
const SECRET_FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, 'secrets.key'];
const OWNER_ONLY = { folder: 0o700, file: 0o600 };
const OTHERS = 0o077;

/**
 * Makes the folder for the embedded database where there is none, and lets nobody but its owner look into it. Returns the
 * file of the database, which is there when this returns. @throws DataDirNotWritable
 */
export function prepareDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  const file = join(folder, DATABASE);
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder });
    accessSync(folder, constants.W_OK);
    if (isOurs(folder)) tighten(folder, OWNER_ONLY.folder);
    closeSync(openSync(file, 'a', OWNER_ONLY.file));
  } catch (error) {
    throw new DataDirNotWritable(folder, reasonOf(error));
  }
  for (const name of SECRET_FILES) tighten(join(folder, name), OWNER_ONLY.file);
  return file;
}

/** Others may need a folder that holds more than ours: only the files in it are for the owner alone, then. */
function isOurs(folder: string): boolean {
  const names = readdirSync(folder);
  return names.length === 0 || names.includes(DATABASE);
}

function tighten(path: string, mode: number): void {
  try {
    if (existsSync(path) && (statSync(path).mode & OTHERS) !== 0) chmodSync(path, mode);
  } catch (error) {
    new Logger('Database').warn(
      `others on this machine may read ${path}, and it can't be changed (${reasonOf(error)}): chmod ${mode.toString(8)} it`,
    );
  }
}

const reasonOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error);
