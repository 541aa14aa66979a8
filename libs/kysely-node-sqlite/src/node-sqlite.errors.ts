/** SQLite's own result codes: https://sqlite.org/rescode.html */
const BUSY = 5;
const INTERRUPTED = 9;
const FULL = 13;

/** Thrown when the connection is not free in time. Has the code of SQLite's own SQLITE_BUSY, which means the same. */
export class SqliteBusy extends Error {
  readonly code = 'ERR_SQLITE_ERROR';
  readonly errcode = BUSY;

  constructor(waitedMs: number) {
    super(`the database was busy for ${waitedMs} ms`);
  }
}

/** Thrown when a statement in a reader thread does not end, or its thread fails. */
export class ReadAborted extends Error {
  readonly code = 'ERR_SQLITE_ERROR';
  readonly errcode = INTERRUPTED;

  constructor(reason: string) {
    super(`reading the database was given up: ${reason}`);
  }
}

/** Thrown by each further statement of a transaction that has ended, because it must not run outside the transaction. */
export class TransactionOver extends Error {}

export const isBusy = (error: unknown): boolean => resultCodeOf(error) === BUSY;
export const isFull = (error: unknown): boolean => resultCodeOf(error) === FULL;

function resultCodeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return null;
  // The low byte is the primary result code; the others give details.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}
