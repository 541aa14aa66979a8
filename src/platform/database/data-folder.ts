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
import { dirname, join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Environment } from '../environment/environment.js';
import { DataDirNotWritable, NoData } from './database.errors.js';

const DATABASE = 'agent-service.db';
const LOCK = 'service.lock';
const KEY = 'secrets.key';
/** Files that contain the data or its key. SQLite creates its files with the permissions of the database file. */
const SECRET_FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, KEY];
const OWNER_ONLY = { folder: 0o700, file: 0o600 };
const OTHERS = 0o077;

/**
 * Creates the folder and the file of the embedded database if they are missing, and makes them readable only by their owner.
 * Returns the path of the file.
 * @throws DataDirNotWritable
 */
export function prepareDataFolder(dataDir: string): string {
  const file = prepareFile(dataDir, DATABASE);
  for (const name of SECRET_FILES) tighten(join(dirname(file), name), OWNER_ONLY.file);
  return file;
}

/** Creates the folder and the file whose lock reserves it for one process. @throws DataDirNotWritable */
export const prepareLockFile = (dataDir: string): string => prepareFile(dataDir, LOCK);

function prepareFile(dataDir: string, name: string): string {
  const folder = resolve(dataDir);
  const file = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder });
    accessSync(folder, constants.W_OK);
    if (isOurs(folder)) tighten(folder, OWNER_ONLY.folder);
    closeSync(openSync(file, 'a', OWNER_ONLY.file));
  } catch (error) {
    throw new DataDirNotWritable(folder, reasonOf(error));
  }
  return file;
}

/** @throws NoData when the embedded database is configured, but missing */
export function assertDataIn({ DATABASE_URL, DATA_DIR }: Environment): void {
  const folder = resolve(DATA_DIR);
  if (DATABASE_URL === null && !existsSync(join(folder, DATABASE))) throw new NoData(folder);
}

/** Returns whether the folder contains only our files. Otherwise others may need access, so only our files are restricted. */
const isOurs = (folder: string): boolean =>
  readdirSync(folder).every((name) => name.startsWith(DATABASE) || name === LOCK || name === KEY);

function tighten(path: string, mode: number): void {
  try {
    if (existsSync(path) && (statSync(path).mode & OTHERS) !== 0) chmodSync(path, mode);
  } catch (error) {
    new Logger('Database').warn(
      `other users of this machine may read ${path}, and its rights can't be changed (${reasonOf(error)}): ` +
        `run chmod ${mode.toString(8)} ${path}`,
    );
  }
}

const reasonOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error);
