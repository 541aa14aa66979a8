import 'reflect-metadata';
import { parseEnvironment } from '../environment/environment.js';
import type { Database } from '../database/database.js';
import { openDatabase } from '../database/open-database.js';
import { AppError } from '../errors/app-error.js';

/**
 * Runs a command on the database that the environment names, and prints its result; prints an expected error as one
 * line.
 */
export async function runOnDatabase(work: (database: Database, args: string[]) => Promise<string>): Promise<void> {
  try {
    const database = await openDatabase(parseEnvironment(process.env));
    try {
      console.log(await work(database, process.argv.slice(3)));
    } finally {
      await database.destroy();
    }
  } catch (error) {
    console.error(error instanceof AppError || isFileError(error) ? error.message : error);
    process.exitCode = 1;
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
