import { AppError } from '../errors/app-error.js';

/** Thrown when the folder for the embedded database can't be created or written. */
export class DataDirNotWritable extends AppError {
  constructor(path: string, reason: string) {
    super(
      'unavailable',
      'database.data_dir_not_writable',
      `the data folder ${path} is not writable (${reason}): make it writable for this user, or set DATA_DIR to another folder`,
    );
  }
}

/** Thrown when a PostgreSQL database is asked for. */
export class PostgresNotSupported extends AppError {
  constructor() {
    super(
      'unavailable',
      'database.postgres_not_supported',
      'PostgreSQL is not supported by this version: unset DATABASE_URL to use the embedded database in DATA_DIR',
    );
  }
}

/** Thrown when the database was written by a newer version of the service. */
export class SchemaTooNew extends AppError {
  constructor(unknown: string[]) {
    super(
      'unavailable',
      'database.schema_too_new',
      `the database was written by a newer version of this service (it has ${unknown.join(', ')}): start that version, or restore a backup made before the upgrade`,
    );
  }
}

/** Thrown when the schema can't be brought up to date; the database is left as it was. */
export class MigrationFailed extends AppError {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super('unavailable', 'database.migration_failed', `the database could not be brought up to date: ${reason}`);
    this.cause = cause;
  }
}
