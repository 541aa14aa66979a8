import { AppError } from '../../platform/errors/app-error.js';

/** Thrown when an entry that must be durable cannot be written now. */
export class AuditUnavailable extends AppError {
  constructor(cause?: unknown) {
    super(
      'unavailable',
      'audit.unavailable',
      `the audit log cannot be written now, and administrative changes must be recorded: see /health, and try again when the database answers${reasonOf(cause)}`,
      { retryAfterSeconds: 10 },
    );
    this.cause = cause;
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof AppError ? ` (${cause.message})` : '');

export class AuditEntryNotFound extends AppError {
  constructor(seq: number) {
    super(
      'not_found',
      'audit.entry_not_found',
      `the audit log has no entry ${seq}: old entries are deleted after audit.retention_days`,
    );
  }
}

/** Thrown when the text of a batch cannot be read: somebody has changed it. */
export class AuditBatchUnreadable extends AppError {
  constructor(batch: { firstSeq: number; lastSeq: number } | undefined) {
    super(
      'conflict',
      'audit.batch_unreadable',
      `the entries ${batch?.firstSeq} to ${batch?.lastSeq} of the audit log cannot be read, because their stored text was changed: verify the log, and restore the database from a backup`,
    );
  }
}
