/** SQLite's own result codes: https://sqlite.org/rescode.html */
const BUSY = 5;
const FULL = 13;

/** Thrown when the connection was not free in time. It looks like SQLite's own SQLITE_BUSY, and means the same to callers. */
export class SqliteBusy extends Error {
  readonly code = 'ERR_SQLITE_ERROR';
  readonly errcode = BUSY;

  constructor(waitedMs: number) {
    super(`the database was busy for ${waitedMs} ms`);
  }
}

/** Thrown at each further statement of a transaction that is over: it must not go on outside of it. */
export class TransactionOver extends Error {}

export const isBusy = (error: unknown): boolean => resultCodeOf(error) === BUSY;
export const isFull = (error: unknown): boolean => resultCodeOf(error) === FULL;

function resultCodeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return null;
  // The low byte says what it is, the others say more about it.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}
